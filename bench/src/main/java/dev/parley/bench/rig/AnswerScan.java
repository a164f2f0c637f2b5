package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Finds the end of an HTTP answer in the bytes received so far, usually without allocating. */
public final class AnswerScan {
    private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(ISO_8859_1);
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int INCOMPLETE = -1;

    private AnswerScan() {}

    /** The length of head and body together, or -1 while that is not known yet. */
    public static int wholeLength(byte[] bytes, int limit) {
        int body = bodyStart(bytes, limit);
        if (body == INCOMPLETE) {
            return INCOMPLETE;
        }
        for (int i = 0; i + LENGTH.length < body; i++) {
            if (bytes[i] == '\r' && isLengthAt(bytes, i)) {
                return body + number(bytes, i + LENGTH.length, body);
            }
        }
        throw new IllegalStateException("An answer without a length:\n" + new String(bytes, 0, body, ISO_8859_1));
    }

    public static int status(byte[] bytes) {
        return (bytes[STATUS_AT] - '0') * 100 + (bytes[STATUS_AT + 1] - '0') * 10 + (bytes[STATUS_AT + 2] - '0');
    }

    private static int bodyStart(byte[] bytes, int limit) {
        for (int i = 3; i < limit; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return INCOMPLETE;
    }

    private static boolean isLengthAt(byte[] bytes, int at) {
        for (int i = 0; i < LENGTH.length; i++) {
            int letter = bytes[at + i];
            int lower = letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
            if (lower != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    private static int number(byte[] bytes, int from, int limit) {
        int number = 0;
        for (int i = from; i < limit && bytes[i] != '\r'; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                number = Math.addExact(Math.multiplyExact(number, 10), bytes[i] - '0');
            }
        }
        return number;
    }
}
