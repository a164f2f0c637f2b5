package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Encodes and decodes the parts of a URI (RFC 3986, 2.1). Decodes once and strictly: malformed escapes, and escapes
 * that are not well-formed UTF-8, are refused.
 */
public final class PercentEncoding {
    private PercentEncoding() {}

    public static String decodeSegment(String raw) {
        String decoded = decode(raw, false);
        for (int i = 0; i < decoded.length(); i++) {
            // No name in a path needs control characters, and NUL or a line break in an id is an attack on later
            // readers of the id.
            if (Character.isISOControl(decoded.charAt(i))) {
                throw malformed("The path holds a control character.");
            }
        }
        return decoded;
    }

    /** Encodes one segment of a path: all characters but letters, digits and four harmless signs are escaped. */
    public static String encodeSegment(String segment) {
        StringBuilder text = new StringBuilder();
        for (byte each : segment.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each >= 'a' && each <= 'z'
                    || each >= 'A' && each <= 'Z'
                    || each >= '0' && each <= '9'
                    || "-._~".indexOf(each) >= 0;
            if (plain) {
                text.append((char) each);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return text.toString();
    }

    static String decodeQuery(String raw) {
        String decoded = decode(raw, true);
        if (decoded.indexOf(0) >= 0) {
            throw malformed("The address holds a NUL character.");
        }
        return decoded;
    }

    private static String decode(String raw, boolean plusIsSpace) {
        boolean plain = true;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                throw malformed("The address holds a character that must be percent-encoded.");
            }
            plain &= c != '%' && !(plusIsSpace && c == '+');
        }
        return plain ? raw : decodeEscapes(raw, plusIsSpace);
    }

    private static String decodeEscapes(String raw, boolean plusIsSpace) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                boolean whole = i + 2 < raw.length();
                int high = whole ? Character.digit(raw.charAt(i + 1), 16) : -1;
                int low = whole ? Character.digit(raw.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw malformed("The address holds a broken percent escape.");
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else {
                bytes.put((byte) (plusIsSpace && c == '+' ? ' ' : c));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw malformed("The address holds percent escapes that are not UTF-8.");
        }
    }

    private static ProblemException malformed(String detail) {
        return new ProblemException(Problem.MALFORMED_REQUEST, detail);
    }
}
