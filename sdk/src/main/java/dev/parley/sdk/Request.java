package dev.parley.sdk;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request to send. Every attempt sends the same bytes.
 *
 * @param key the Idempotency-Key, by which the server recognizes a repeated creation
 * @param extraWait the time that is added to the usual time limit of an attempt
 * @param repeatable true if the request may be sent again when no answer comes
 */
record Request(
        String method,
        String path,
        @Nullable Body body,
        @Nullable String key,
        Duration extraWait,
        boolean repeatable) {
    private static final String UNRESERVED = "-._~";

    /** The body of a request, opened anew for each attempt. */
    interface Body {
        String type();

        BodyPublisher open() throws IOException;
    }

    /** A body that is serialized once, for all attempts. */
    private record JsonBody(byte[] bytes) implements Body {
        @Override
        public String type() {
            return "application/json";
        }

        @Override
        public BodyPublisher open() {
            return BodyPublishers.ofByteArray(bytes);
        }
    }

    static Request get(String path) {
        return new Request("GET", path, null, null, Duration.ZERO, true);
    }

    static Request post(String path, Object body) {
        return with("POST", path, body);
    }

    static Request patch(String path, Object body) {
        return with("PATCH", path, body);
    }

    static Request put(String path) {
        return new Request("PUT", path, null, null, Duration.ZERO, true);
    }

    static Request delete(String path) {
        return new Request("DELETE", path, null, null, Duration.ZERO, true);
    }

    private static Request with(String method, String path, Object body) {
        return new Request(method, path, new JsonBody(Json.MAPPER.writeValueAsBytes(body)), null, Duration.ZERO, true);
    }

    static Request upload(String path, Body body) {
        return new Request("POST", path, body, null, Duration.ZERO, true);
    }

    Request keyed(String idempotencyKey) {
        return new Request(method, path, body, idempotencyKey, extraWait, repeatable);
    }

    Request waiting(Duration wait) {
        return new Request(method, path, body, key, wait, repeatable);
    }

    /** The same request without retries, for calls that would take effect twice. */
    Request once() {
        return new Request(method, path, body, key, extraWait, false);
    }

    void writeTo(HttpRequest.Builder request) throws IOException {
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        if (body != null) {
            request.header("Content-Type", body.type());
        }
        request.method(method, body == null ? BodyPublishers.noBody() : body.open());
    }

    /** Encodes a name as one segment of a path, or as a value in a query. */
    static String encode(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char ascii = (char) (each & 0xFF);
            boolean plain = ascii < 128 && (Character.isLetterOrDigit(ascii) || UNRESERVED.indexOf(ascii) >= 0);
            encoded.append(plain ? String.valueOf(ascii) : "%%%02X".formatted((int) ascii));
        }
        return encoded.toString();
    }
}
