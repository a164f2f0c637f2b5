package dev.parley.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is written as a whole.
 *
 * @param body null for an empty body, {@code byte[]} for bytes as they are, and any other object for JSON
 */
public record Answer(int status, @Nullable Object body, Map<String, String> headers) implements Reply {
    private static final String CONTENT_TYPE = "Content-Type";

    public Answer {
        headers = Map.copyOf(headers);
    }

    public static Answer ok(Object body) {
        return new Answer(200, body, Map.of());
    }

    public static Answer created(Object body) {
        return new Answer(201, body, Map.of());
    }

    public static Answer noContent() {
        return new Answer(204, null, Map.of());
    }

    public static Answer of(int status, @Nullable Object body) {
        return new Answer(status, body, Map.of());
    }

    public static Answer text(String contentType, String text) {
        return bytes(contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer bytes(String contentType, byte[] bytes) {
        return new Answer(200, bytes, Map.of(CONTENT_TYPE, contentType));
    }

    public Answer withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(name, value);
        return new Answer(status, body, more);
    }
}
