package dev.parley.testing;

import dev.parley.protocol.Json;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Calls a server with one credential and accepts any response, for tests of rights.
 *
 * @param credential sent as a bearer token; null for none
 */
public record Api(URI server, @Nullable String credential) {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A response. */
    public record Reply(RawAnswer answer) {
        public int status() {
            return answer.status();
        }

        public JsonNode json() {
            return Json.MAPPER.readTree(answer.body());
        }

        public String text(String member) {
            return json().get(member).asString();
        }

        /** The slug of the problem; empty for a response that is not a problem. */
        public Optional<String> problem() {
            return answer.status() < 400
                    ? Optional.empty()
                    : Optional.of(text("type").substring("/problems/".length()));
        }

        public Optional<String> header(String name) {
            return answer.header(name);
        }

        @Override
        public String toString() {
            return answer.status() + " " + answer.text();
        }
    }

    public Reply get(String path) {
        return send("GET", path, null);
    }

    public Reply delete(String path) {
        return send("DELETE", path, null);
    }

    /** @param headers further header lines, each like {@code Name: value} */
    public Reply post(String path, String json, String... headers) {
        return send("POST", path, json, headers);
    }

    public Reply patch(String path, String json) {
        return send("PATCH", path, json);
    }

    public Reply send(String method, String path, @Nullable String json, String... headers) {
        try {
            return new Reply(RawHttp.exchange(server, request(method, path, json, headers), LIMIT));
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }

    /** Opens a stream and reads its head; the caller reads on, and closes it. */
    public RawHttp open(String path, String... headers) {
        return opened("GET", path, null, headers);
    }

    /** The same by POST. */
    public RawHttp openPost(String path, String json) {
        return opened("POST", path, json, "Accept: text/event-stream");
    }

    private RawHttp opened(String method, String path, @Nullable String json, String... headers) {
        try {
            RawHttp connection = RawHttp.connect(server, LIMIT);
            connection.send(request(method, path, json, headers));
            return connection;
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }

    /** Reads a stream up to a line that contains the text; fails on a timeout. */
    public static void readUntil(RawHttp stream, String text) throws IOException {
        Instant end = Instant.now().plus(LIMIT);
        String line = stream.readLine();
        while (!line.contains(text)) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("The stream did not contain: " + text);
            }
            line = stream.readLine();
        }
    }

    /** Sends bytes unchanged. */
    public Reply send(String method, String path, String contentType, byte[] body, String... headers) {
        try {
            return new Reply(RawHttp.exchange(server, request(method, path, contentType, body, headers), LIMIT));
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }

    private byte[] request(String method, String path, @Nullable String json, String... headers) {
        return request(
                method,
                path,
                json == null ? null : "application/json",
                json == null ? new byte[0] : json.getBytes(StandardCharsets.UTF_8),
                headers);
    }

    private byte[] request(String method, String path, @Nullable String type, byte[] body, String... headers) {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\n");
        if (credential != null) {
            request.append("Authorization: Bearer ").append(credential).append("\r\n");
        }
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        if (type != null) {
            request.append("Content-Type: ").append(type).append("\r\n");
        }
        request.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        byte[] head = request.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }
}
