package dev.parley.bench.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HexFormat;

/** The text of a token, which is its due time. From this text, a viewer knows how long the delivery took. */
final class Stamp {
    private static final int DIGITS = 16;
    private static final byte[] BEFORE = "\"delta\":\"".getBytes(US_ASCII);

    private int matched;
    private int digits;
    private long value;

    static String of(long nanos) {
        return HexFormat.of().toHexDigits(nanos);
    }

    /** Reads the next byte of one viewer's stream; true if the byte completes a token. */
    boolean take(byte next) {
        if (matched < BEFORE.length) {
            matched = next == BEFORE[matched] ? matched + 1 : next == BEFORE[0] ? 1 : 0;
            digits = 0;
            value = 0;
            return false;
        }
        value = value << 4 | HexFormat.fromHexDigit(next);
        digits++;
        if (digits < DIGITS) {
            return false;
        }
        matched = 0;
        return true;
    }

    /** The due time of the token that was just completed. */
    long nanos() {
        return value;
    }
}
