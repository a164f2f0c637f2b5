package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A client without any provider's SDK: posts given requests and returns the answers. */
final class Asking implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ScriptedModel model;

    Asking(ScriptedModel model) {
        this.model = model;
    }

    /** The shortest request that the provider accepts. */
    static String request(Wire wire, boolean stream) {
        return switch (wire) {
            case OPENAI -> """
                {"model":"m","stream":%s,"stream_options":{"include_usage":true},
                 "messages":[{"role":"user","content":"Hi"}]}""".formatted(stream);
            case ANTHROPIC -> """
                {"model":"m","stream":%s,"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}""".formatted(stream);
            case GEMINI -> """
                {"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}""";
            case OLLAMA -> """
                {"model":"m","stream":%s,"messages":[{"role":"user","content":"Hi"}]}""".formatted(stream);
        };
    }

    static String path(Wire wire, boolean stream) {
        return switch (wire) {
            case OPENAI -> "/chat/completions";
            case ANTHROPIC -> "/messages";
            case GEMINI -> "/models/m:" + (stream ? "streamGenerateContent?alt=sse" : "generateContent");
            case OLLAMA -> "/api/chat";
        };
    }

    HttpResponse<InputStream> open() {
        return open(path(model.wire(), true), request(model.wire(), true));
    }

    HttpResponse<InputStream> open(String path, String body) {
        return send(request(path, body)
                .header("Authorization", "Bearer key")
                .header("x-api-key", "key")
                .header("x-goog-api-key", "key"));
    }

    /** The shortest request, without credentials. */
    HttpResponse<InputStream> openWithoutKey() {
        return send(request(path(model.wire(), true), request(model.wire(), true)));
    }

    private HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(model.baseUrl() + path))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .header("anthropic-version", "2023-06-01")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All lines of a streamed answer. */
    List<String> lines() throws IOException {
        try (InputStream in = open().body()) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    /** The JSON of all frames of a streamed answer, without their framing. */
    List<JsonNode> frames() throws IOException {
        return lines().stream().flatMap(Asking::json).toList();
    }

    JsonNode whole() throws IOException {
        try (InputStream in =
                open(path(model.wire(), false), request(model.wire(), false)).body()) {
            return Json.MAPPER.readTree(in.readAllBytes());
        }
    }

    private static Stream<JsonNode> json(String line) {
        String json = line.startsWith("data: ") ? line.substring("data: ".length()) : line;
        return json.startsWith("{") ? Stream.of(Json.MAPPER.readTree(json)) : Stream.empty();
    }

    /** The values at this pointer in the frames that have one, in order. */
    static List<String> at(List<JsonNode> frames, String pointer) {
        return frames.stream()
                .map(frame -> frame.at(pointer))
                .filter(node -> !node.isMissingNode() && !node.isNull())
                .map(node -> node.isValueNode() ? node.asString() : node.toString())
                .toList();
    }

    /** Closes the client even if a body is not read to its end. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
