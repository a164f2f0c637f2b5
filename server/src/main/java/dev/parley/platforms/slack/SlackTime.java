package dev.parley.platforms.slack;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads Slack's times: seconds since 1970 with a significant fraction. */
final class SlackTime {
    private static final Pattern TIME = Pattern.compile("[0-9]{1,11}(\\.[0-9]{1,9})?");

    private SlackTime() {}

    /** The time; null if the text is not a time. */
    static @Nullable Instant of(String ts) {
        if (!TIME.matcher(ts).matches()) {
            return null;
        }
        BigDecimal time = new BigDecimal(ts);
        long seconds = time.longValue();
        return Instant.ofEpochSecond(
                seconds,
                time.subtract(BigDecimal.valueOf(seconds)).movePointRight(9).longValue());
    }
}
