package dev.parley.http;

import dev.parley.limits.Limits;
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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A running edge for tests: {@code Bearer good} is admitted as "ada", {@code Bearer bob} as "bob". */
final class TestEdge implements AutoCloseable {
    private static final Map<String, Object> LIMITS = Map.ofEntries(
            Map.entry("limit-header-bytes", 4096L),
            Map.entry("limit-in-flight", 1000),
            Map.entry("limit-waiting-polls", 1000),
            Map.entry("limit-head-timeout", Duration.ofSeconds(20)),
            Map.entry("limit-body-timeout", Duration.ofSeconds(20)),
            Map.entry("limit-upload-time", Duration.ofSeconds(60)),
            Map.entry("limit-drain-time", Duration.ofSeconds(10)),
            Map.entry("limit-heartbeat", Duration.ofSeconds(10)));

    private static final long MEMORY = 64L << 20;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(20);
    private static final int QUEUE_BYTES = 64 * 1024;

    static final HttpSettings SETTINGS = settings(Map.of());

    private static HttpSettings settings(Map<String, Object> replaced) {
        return settings(MEMORY, IDLE_TIMEOUT, QUEUE_BYTES, 0, replaced);
    }

    private static HttpSettings settings(
            long memory, Duration idleTimeout, int queueBytes, int sendBuffer, Map<String, Object> replaced) {
        Map<String, Object> limits = new HashMap<>(LIMITS);
        limits.putAll(replaced);
        return new HttpSettings(
                "127.0.0.1", 0, 2, memory, Limits.with(limits).http(), idleTimeout, queueBytes, sendBuffer);
    }

    static HttpSettings withTimeouts(Duration head, Duration body, Duration idle) {
        return settings(MEMORY, idle, QUEUE_BYTES, 0, Map.of("limit-head-timeout", head, "limit-body-timeout", body));
    }

    static HttpSettings withUploads(Duration silence, Duration whole) {
        return settings(Map.of("limit-body-timeout", silence, "limit-upload-time", whole));
    }

    static HttpSettings withDrain(long bytes, Duration time) {
        return settings(Map.of("limit-drain-bytes", bytes, "limit-drain-time", time));
    }

    static HttpSettings withStreams(Duration heartbeat, Duration slowReader, int queueBytes, int sendBuffer) {
        return settings(
                MEMORY,
                IDLE_TIMEOUT,
                queueBytes,
                sendBuffer,
                Map.of("limit-heartbeat", heartbeat, "limit-slow-reader", slowReader));
    }

    static HttpSettings withMaxInFlight(int maxInFlight, int maxWaiting) {
        return settings(Map.of("limit-in-flight", maxInFlight, "limit-waiting-polls", maxWaiting));
    }

    /** @param memory bytes that all requests may hold together, of which those without a caller have a quarter */
    static HttpSettings withRequestMemory(long memory, Duration memoryTimeout, Duration bodyTimeout) {
        return settings(
                memory,
                IDLE_TIMEOUT,
                QUEUE_BYTES,
                0,
                Map.of(
                        "limit-memory-timeout", memoryTimeout,
                        "limit-body-timeout", bodyTimeout,
                        "limit-slow-reader", Duration.ofSeconds(1)));
    }

    /** Readers may be as slow as they like if they take 64 KB in the time given. */
    static HttpSettings withParcelTime(Duration parcelTime) {
        return settings(
                MEMORY,
                IDLE_TIMEOUT,
                QUEUE_BYTES,
                16 * 1024,
                Map.of("limit-slow-reader", Duration.ofMinutes(1), "limit-parcel-time", parcelTime));
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
