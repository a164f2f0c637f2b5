package dev.parley.protocol;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A media type with its parameters, as {@code Content-Type} and other headers carry it, read in one pass
 * (<a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1">RFC 9110, 8.3.1</a>). An unreadable parameter counts
 * as absent; the caller decides which parameters are required.
 *
 * @param essence type and subtype in lower case, without the parameters
 * @param parameters the text after the first semicolon, as written
 */
public record MediaType(String essence, String parameters) {
    public static MediaType parse(String text) {
        int semicolon = text.indexOf(';');
        String bare = semicolon < 0 ? text : text.substring(0, semicolon);
        return new MediaType(bare.strip().toLowerCase(Locale.ROOT), semicolon < 0 ? "" : text.substring(semicolon + 1));
    }

    public boolean isJson() {
        return essence.equals("application/json") || essence.endsWith("+json");
    }

    /** The type before the slash; the whole essence if it has no slash. */
    public String kind() {
        int slash = essence.indexOf('/');
        return slash < 0 ? essence : essence.substring(0, slash);
    }

    /** The value of a parameter, without quotes; the last value if the parameter repeats. */
    public Optional<String> parameter(String name) {
        @Nullable String last = null;
        int at = 0;
        while (at < parameters.length()) {
            int nameEnd = at;
            while (nameEnd < parameters.length()
                    && parameters.charAt(nameEnd) != ';'
                    && parameters.charAt(nameEnd) != '=') {
                nameEnd++;
            }
            if (nameEnd == parameters.length() || parameters.charAt(nameEnd) == ';') {
                at = nameEnd + 1;
                continue;
            }
            int start = Alphabet.SPACES.end(parameters, nameEnd + 1);
            int end = valueEnd(start);
            if (parameters.substring(at, nameEnd).strip().equalsIgnoreCase(name)) {
                last = value(start, end);
            }
            int next = parameters.indexOf(';', end);
            at = next < 0 ? parameters.length() : next + 1;
        }
        return Optional.ofNullable(last);
    }

    private int valueEnd(int start) {
        if (start < parameters.length() && parameters.charAt(start) == '"') {
            int at = start + 1;
            while (at < parameters.length() && parameters.charAt(at) != '"') {
                at += parameters.charAt(at) == '\\' ? 2 : 1;
            }
            return Math.min(at + 1, parameters.length());
        }
        int semicolon = parameters.indexOf(';', start);
        return semicolon < 0 ? parameters.length() : semicolon;
    }

    private String value(int start, int end) {
        String raw = parameters.substring(start, end).strip();
        if (!raw.startsWith("\"")) {
            return raw;
        }
        StringBuilder value = new StringBuilder(raw.length());
        for (int i = 1; i < raw.length() && raw.charAt(i) != '"'; i++) {
            i += raw.charAt(i) == '\\' && i + 1 < raw.length() ? 1 : 0;
            value.append(raw.charAt(i));
        }
        return value.toString();
    }
}
