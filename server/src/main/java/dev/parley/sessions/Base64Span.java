package dev.parley.sessions;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A range of JSON text that holds base64 in its canonical form: the standard alphabet (<a
 * href="https://www.rfc-editor.org/rfc/rfc4648#section-4">RFC 4648, 4</a>), padded, without line ends or spare bits.
 * Therefore the decoded bytes alone restore the text.
 */
record Base64Span(int start, int end) {
    private static final byte NONE = -1;
    private static final byte[] VALUES = values();

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, NONE);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = (byte) i;
        }
        return values;
    }

    /**
     * The whole JSON string whose first character is at {@code from}, if it is canonical base64 up to its closing
     * quote.
     */
    static Optional<Base64Span> at(byte[] json, int from) {
        int letters = from;
        // The loop always ends, because every JSON string ends with a quote, and the quote is not in the alphabet.
        while (VALUES[json[letters] & 0xff] != NONE) {
            letters++;
        }
        int end = letters;
        while (end < letters + 2 && json[end] == '=') {
            end++;
        }
        boolean whole = json[end] == '"' && (end - from) % 4 == 0;
        return whole && !hasSpareBits(json, from, letters, end)
                ? Optional.of(new Base64Span(from, end))
                : Optional.empty();
    }

    /** True if the last letter carries bits that belong to no byte. */
    private static boolean hasSpareBits(byte[] json, int from, int letters, int end) {
        int spare = switch (end - letters) {
            case 1 -> 0b11;
            case 2 -> 0b1111;
            default -> 0;
        };
        return letters > from && (VALUES[json[letters - 1] & 0xff] & spare) != 0;
    }

    int length() {
        return end - start;
    }

    byte[] decoded(byte[] json) {
        ByteBuffer bytes = Base64.getDecoder().decode(ByteBuffer.wrap(json, start, length()));
        return bytes.remaining() == bytes.array().length
                ? bytes.array()
                : Arrays.copyOf(bytes.array(), bytes.remaining());
    }
}
