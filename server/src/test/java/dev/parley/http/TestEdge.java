package dev.parley.http;

import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A running edge for tests: {@code Bearer good} is admitted as "ada", {@code Bearer bob} as "bob". */
final class TestEdge implements AutoCloseable {
    static final HttpSettings SETTINGS = new HttpSettings(
            "127.0.0.1",
            0,
            2,
            1000,
            1000,
            64L << 20,
            Duration.ofSeconds(5),
            4096,
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            16 << 20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            64 * 1024,
            0);

    static HttpSettings withTimeouts(Duration head, Duration body, Duration idle) {
        HttpSettings s = SETTINGS;
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                head,
                body,
                s.uploadTime(),
                idle,
                s.drainBytes(),
                s.drainTime(),
                s.heartbeat(),
                s.slowReader(),
                s.parcelTime(),
                s.sseQueueBytes(),
                s.sendBufferBytes());
    }

    static HttpSettings withUploads(Duration silence, Duration whole) {
        HttpSettings s = withTimeouts(SETTINGS.headTimeout(), silence, SETTINGS.idleTimeout());
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                whole,
                s.idleTimeout(),
                s.drainBytes(),
                s.drainTime(),
                s.heartbeat(),
                s.slowReader(),
                s.parcelTime(),
                s.sseQueueBytes(),
                s.sendBufferBytes());
    }

    static HttpSettings withDrain(int bytes, Duration time) {
        HttpSettings s = SETTINGS;
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                s.uploadTime(),
                s.idleTimeout(),
                bytes,
                time,
                s.heartbeat(),
                s.slowReader(),
                s.parcelTime(),
                s.sseQueueBytes(),
                s.sendBufferBytes());
    }

    static HttpSettings withStreams(Duration heartbeat, Duration slowReader, int queueBytes, int sendBuffer) {
        HttpSettings s = SETTINGS;
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                s.uploadTime(),
                s.idleTimeout(),
                s.drainBytes(),
                s.drainTime(),
                heartbeat,
                slowReader,
                s.parcelTime(),
                queueBytes,
                sendBuffer);
    }

    static HttpSettings withMaxInFlight(int maxInFlight, int maxWaiting) {
        HttpSettings s = SETTINGS;
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                maxInFlight,
                maxWaiting,
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                s.uploadTime(),
                s.idleTimeout(),
                s.drainBytes(),
                s.drainTime(),
                s.heartbeat(),
                s.slowReader(),
                s.parcelTime(),
                s.sseQueueBytes(),
                s.sendBufferBytes());
    }

    /** @param requestMemory bytes that all requests may hold together, of which those without a caller have a quarter */
    static HttpSettings withRequestMemory(long requestMemory, Duration memoryTimeout, Duration bodyTimeout) {
        HttpSettings s = withTimeouts(SETTINGS.headTimeout(), bodyTimeout, SETTINGS.idleTimeout());
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                requestMemory,
                memoryTimeout,
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                s.uploadTime(),
                s.idleTimeout(),
                s.drainBytes(),
                s.drainTime(),
                s.heartbeat(),
                Duration.ofSeconds(1),
                s.parcelTime(),
                s.sseQueueBytes(),
                s.sendBufferBytes());
    }

    /** Readers may be as slow as can be, if only they take 64 KB in the time given. */
    static HttpSettings withParcelTime(Duration parcelTime) {
        HttpSettings s = SETTINGS;
        return new HttpSettings(
                s.host(),
                0,
                s.eventLoops(),
                s.maxInFlight(),
                s.maxWaiting(),
                s.requestMemory(),
                s.memoryTimeout(),
                s.maxHeaderBytes(),
                s.headTimeout(),
                s.bodyTimeout(),
                s.uploadTime(),
                s.idleTimeout(),
                s.drainBytes(),
                s.drainTime(),
                s.heartbeat(),
                Duration.ofMinutes(1),
                parcelTime,
                s.sseQueueBytes(),
                16 * 1024);
    }

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final AtomicInteger admissions = new AtomicInteger();
    final HttpEdge<String> edge;
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private TestEdge(HttpSettings settings, BrowserRules browsers, Consumer<Routes<String>> table) {
        Routes<String> routes = new Routes<>();
        table.accept(routes);
        edge = HttpEdge.start(settings, browsers, routes, this::admit, registry);
    }

    static TestEdge start(Consumer<Routes<String>> table) {
        return start(SETTINGS, table);
    }

    static TestEdge start(HttpSettings settings, Consumer<Routes<String>> table) {
        return new TestEdge(settings, BrowserRules.NONE, table);
    }

    static TestEdge start(BrowserRules browsers, Consumer<Routes<String>> table) {
        return new TestEdge(SETTINGS, browsers, table);
    }

    private String admit(RequestHead head) {
        admissions.incrementAndGet();
        return switch (head.header("Authorization").orElse("")) {
            case "Bearer good" -> "ada";
            case "Bearer bob" -> "bob";
            default -> throw new ProblemException(Problem.UNAUTHENTICATED, "A token is needed.");
        };
    }

    int port() {
        return edge.port();
    }

    double inFlight() {
        return registry.get("parley.http.in.flight").gauge().value();
    }

    /** Bytes that requests hold at the moment. */
    double memory() {
        return registry.get("parley.http.memory.reserved").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    double waiting() {
        return registry.get("parley.http.waiting").gauge().value();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(15))
                .header("Authorization", "Bearer good");
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return post(path, BodyPublishers.ofString(body));
    }

    HttpResponse<String> post(String path, BodyPublisher body) throws IOException, InterruptedException {
        return client.send(request(path).POST(body).build(), BodyHandlers.ofString());
    }

    RawClient raw() throws IOException {
        return new RawClient(port(), 0);
    }

    static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }

    @Override
    public void close() {
        client.shutdownNow();
        edge.stop(Duration.ofSeconds(5));
    }
}
