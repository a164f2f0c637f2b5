package dev.parley.access;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Calls a server with whatever credential it is given. */
final class Api implements AutoCloseable {
    /** What came back; of a stream only its beginning. */
    record Got(int status, String contentType, String body) {
        JsonNode json() {
            return Json.MAPPER.readTree(body);
        }
    }

    private final URI server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    Api(URI server) {
        this.server = server;
    }

    /** @param headers names and values, one after the other */
    Got call(String method, String path, String credential, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(Duration.ofSeconds(20))
                .method(
                        method.toUpperCase(Locale.ROOT),
                        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (!credential.isEmpty()) {
            request.header("Authorization", "Bearer " + credential);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
            String type = answer.headers().firstValue("Content-Type").orElse("");
            try (InputStream in = answer.body()) {
                byte[] read = type.startsWith("text/event-stream") ? in.readNBytes(1) : in.readAllBytes();
                return new Got(answer.statusCode(), type, new String(read, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Calls and insists on success. */
    JsonNode must(String method, String path, String credential, Object body) {
        Got got = call(method, path, credential, body.equals("") ? "" : Json.MAPPER.writeValueAsString(body));
        if (got.status() >= 300) {
            throw new AssertionError(method + " " + path + " gave " + got);
        }
        return got.json();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
