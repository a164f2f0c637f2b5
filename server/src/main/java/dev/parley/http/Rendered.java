package dev.parley.http;

import dev.parley.protocol.Json;
import java.util.Map;

/** An answer whose body is bytes, ready for the event loop. */
record Rendered(int status, String contentType, byte[] bytes, Map<String, String> headers) {
    private static final byte[] NO_BYTES = new byte[0];

    static Rendered of(Answer answer) {
        Object body = answer.body();
        return switch (body) {
            case null -> new Rendered(answer.status(), "", NO_BYTES, answer.headers());
            case byte[] bytes -> new Rendered(answer.status(), "application/octet-stream", bytes, answer.headers());
            default ->
                new Rendered(
                        answer.status(), "application/json", Json.MAPPER.writeValueAsBytes(body), answer.headers());
        };
    }
}
