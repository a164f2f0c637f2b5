package dev.parley.limits;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes numbers of bytes as people write them: {@code 262144}, {@code 256KB}, {@code 1MB}; a KB is 1,024 bytes. */
public final class Sizes {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,10}) ?(b|kb|kib|k|mb|mib|m|gb|gib|g)?");
    private static final long KB = 1L << 10;
    private static final long MB = 1L << 20;
    private static final long GB = 1L << 30;

    private Sizes() {}

    public static Optional<Long> parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = matcher.group(2) == null ? "b" : matcher.group(2);
        long factor = switch (unit.charAt(0)) {
            case 'k' -> KB;
            case 'm' -> MB;
            case 'g' -> GB;
            default -> 1;
        };
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE / factor ? Optional.empty() : Optional.of(number * factor);
    }

    public static String format(long bytes) {
        if (bytes == 0 || bytes % KB != 0) {
            return Long.toString(bytes);
        }
        return bytes % MB == 0 ? bytes / MB + "MB" : bytes / KB + "KB";
    }
}
