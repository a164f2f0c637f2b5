package dev.parley.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A header's value with its parameters, such as {@code form-data; name="a"}. */
record HeaderValue(String value, Map<String, String> parameters) {
    private static final String UTF8_PREFIX = "utf-8'";

    HeaderValue {
        parameters = Map.copyOf(parameters);
    }

    static HeaderValue parse(String text) {
        int semicolon = text.indexOf(';');
        if (semicolon < 0) {
            return new HeaderValue(text.strip(), Map.of());
        }
        Map<String, String> parameters = new HashMap<>();
        int at = semicolon + 1;
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                if (text.substring(at).isBlank()) {
                    break;
                }
                throw malformed();
            }
            String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
            int start = skipBlanks(text, equals + 1);
            int end =
                    start < text.length() && text.charAt(start) == '"' ? quotedEnd(text, start) : tokenEnd(text, start);
            if (parameters.put(name, unquote(text.substring(start, end).strip())) != null) {
                throw malformed(); // Of two parameters with one name, the right one is unknown.
            }
            at = skipBlanks(text, end);
            if (at < text.length() && text.charAt(at) != ';') {
                throw malformed();
            }
            at++;
        }
        return new HeaderValue(text.substring(0, semicolon).strip(), parameters);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * The parameter in its extended form (RFC 8187) if that form is present and in UTF-8, or else in its plain form.
     */
    Optional<String> extended(String name) {
        String extended = parameters.getOrDefault(name + "*", "");
        int language = extended.indexOf('\'', UTF8_PREFIX.length());
        if (!extended.toLowerCase(Locale.ROOT).startsWith(UTF8_PREFIX) || language < 0) {
            return parameter(name);
        }
        return Optional.of(decode(extended.substring(language + 1)));
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static int tokenEnd(String text, int from) {
        int semicolon = text.indexOf(';', from);
        return semicolon < 0 ? text.length() : semicolon;
    }

    private static int quotedEnd(String text, int from) {
        for (int i = from + 1; i < text.length(); i++) {
            if (isEscape(text, i)) {
                i++;
            } else if (text.charAt(i) == '"') {
                return i + 1;
            }
        }
        throw malformed();
    }

    /** Browsers leave a backslash as it is, so it is an escape only before a quote or a backslash. */
    private static boolean isEscape(String text, int at) {
        return text.charAt(at) == '\\'
                && at + 1 < text.length()
                && (text.charAt(at + 1) == '"' || text.charAt(at + 1) == '\\');
    }

    /**
     * Removes the quotes of a value. For a quote inside, some clients write a backslash before it, and browsers write
     * {@code %22}.
     */
    private static String unquote(String text) {
        if (!text.startsWith("\"")) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 1; i < text.length() - 1; i++) {
            if (isEscape(text, i)) {
                i++;
            }
            plain.append(text.charAt(i));
        }
        return plain.toString().replace("%22", "\"");
    }

    private static String decode(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '%') {
                int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
                int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw malformed();
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else {
                bytes.put(raw[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw malformed();
        }
    }

    private static RuntimeException malformed() {
        return Multipart.malformed("A header of the form cannot be read.");
    }
}
