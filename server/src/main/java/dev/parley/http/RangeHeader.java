package dev.parley.http;

import dev.parley.protocol.Alphabet;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A {@code Range} header with one range of bytes, read in one pass (<a
 * href="https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2">RFC 9110, 14.1.2</a>).
 *
 * @param first the first byte; empty if the range is a number of bytes at the end
 * @param last the last byte, or the number of bytes at the end if {@code first} is empty; empty for all bytes from
 *     {@code first} on
 */
record RangeHeader(OptionalLong first, OptionalLong last) {
    private static final String UNIT = "bytes";
    private static final int MAX_NUMBER = 18;

    /** Empty for several ranges, other units, and texts that are no range. */
    static Optional<RangeHeader> parse(String text) {
        int unit = Alphabet.SPACES.end(text, 0);
        int equals = Alphabet.SPACES.end(text, unit + UNIT.length());
        if (!text.regionMatches(true, unit, UNIT, 0, UNIT.length()) || !text.startsWith("=", equals)) {
            return Optional.empty();
        }
        int first = Alphabet.SPACES.end(text, equals + 1);
        int firstEnd = Alphabet.DIGITS.end(text, first);
        int hyphen = Alphabet.SPACES.end(text, firstEnd);
        if (!text.startsWith("-", hyphen)) {
            return Optional.empty();
        }
        int last = Alphabet.SPACES.end(text, hyphen + 1);
        int lastEnd = Alphabet.DIGITS.end(text, last);
        return Alphabet.SPACES.end(text, lastEnd) < text.length()
                ? Optional.empty()
                : Optional.of(new RangeHeader(
                        number(text.substring(first, firstEnd)), number(text.substring(last, lastEnd))));
    }

    /** Parses digits. A number too large for a long becomes the largest long, which is larger than any object. */
    private static OptionalLong number(String digits) {
        int significant = 0;
        while (significant < digits.length() - 1 && digits.charAt(significant) == '0') {
            significant++;
        }
        String number = digits.substring(significant);
        return number.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(number.length() > MAX_NUMBER ? Long.MAX_VALUE : Long.parseLong(number));
    }
}
