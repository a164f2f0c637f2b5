package dev.parley.limits;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes spans of time as people write them: {@code 500ms}, {@code 15s}, {@code 2m}, {@code 1h}, {@code PT15S}. */
public final class Durations {
    // Nine digits of any unit fit into a Duration, and the milliseconds of that Duration fit into a long.
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|h|d)");

    private Durations() {}

    /** Empty unless the text is a number with a unit, or an ISO 8601 duration that is not negative. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return parseIso(text.strip());
        }
        long number = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                });
    }

    private static Optional<Duration> parseIso(String text) {
        try {
            return Optional.of(Duration.parse(text)).filter(duration -> !duration.isNegative());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    public static String format(Duration duration) {
        if (duration.toMillis() % 1000 != 0 || duration.isZero()) {
            return duration.toMillis() + "ms";
        }
        long seconds = duration.toSeconds();
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
