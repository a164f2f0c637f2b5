package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Requests reserve the memory of their bodies, trees, reads and answers, in an edge with room for one large body. */
class RequestMemoryTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final int MB = 1024 * 1024;
    private static final int LIMIT = 3 * MB;

    /** Known callers have three quarters of it. One caller gets half of that, which is 9.5 MB: a body and its copies. */
    private static final long MEMORY = 26L * MB;

    private final Semaphore released = new Semaphore(0);
    private final Semaphore entered = new Semaphore(0);
    private final Queue<Call<String>> calls = new ConcurrentLinkedQueue<>();

    private TestEdge edge(Duration memoryTimeout, Duration bodyTimeout) {
        return TestEdge.start(
                TestEdge.withRequestMemory(MEMORY, memoryTimeout, bodyTimeout),
                routes -> routes.post("/size", LIMIT, Unrated.FREE, call -> Answer.ok(call.body().length))
                        .post("/head", LIMIT, Unrated.FREE, call -> Answer.ok("the body is not read"))
                        .post(
                                "/json",
                                LIMIT,
                                Unrated.FREE,
                                call -> Answer.ok(call.json(JsonNode.class).size()))
                        .post("/hold", LIMIT, Unrated.FREE, call -> {
                            int size = call.body().length;
                            entered.release();
                            released.tryAcquire(10, TimeUnit.SECONDS);
                            return Answer.ok(size);
                        })
                        .post("/wait", LIMIT, Unrated.FREE, call -> {
                            entered.release();
                            released.tryAcquire(20, TimeUnit.SECONDS);
                            return Answer.ok(call.body().length);
                        })
                        .openPost("/anyone", LIMIT, call -> Answer.ok(call.body().length))
                        .get("/answer", Unrated.FREE, call -> Answer.bytes("a/b", new byte[8 * MB]))
                        .get(
                                "/read",
                                Unrated.FREE,
                                call -> Answer.ok(call.reading(room -> room < MB ? -1.0 : edgeMemory(), found -> MB)))
                        .streamPost("/run", new BodyLimit(LIMIT, "That is too much for us"), Unrated.FREE, call -> {
                            int size = call.body().length;
                            calls.add(call);
                            return (StreamSource) connection -> connection.send(Frames.comment("took " + size));
                        }));
    }

    /** Clients that leave together. */
    private static final class Crowd implements AutoCloseable {
        private final List<RawClient> clients = new ArrayList<>();

        RawClient join(TestEdge edge) throws IOException {
            RawClient client = edge.raw();
            clients.add(client);
            return client;
        }

        @Override
        public void close() throws IOException {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private TestEdge edge() {
        return edge(LONG, LONG);
    }

    private volatile @Nullable TestEdge measured;

    private double edgeMemory() {
        return Objects.requireNonNull(measured).memory();
    }

    @AfterEach
    void release() {
        released.release(100);
    }

    private CompletableFuture<HttpResponse<String>> hold(TestEdge edge) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> held = send(edge, "/hold", LIMIT);
        assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        return held;
    }

    private static CompletableFuture<HttpResponse<String>> send(TestEdge edge, String path, int size) {
        return send(edge, path, BodyPublishers.ofByteArray(new byte[size]));
    }

    private static CompletableFuture<HttpResponse<String>> sendInChunks(TestEdge edge, String path, int size) {
        return send(edge, path, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[size])));
    }

    private static CompletableFuture<HttpResponse<String>> send(TestEdge edge, String path, BodyPublisher body) {
        return edge.client.sendAsync(edge.request(path).POST(body).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> of(CompletableFuture<HttpResponse<String>> response) throws Exception {
        return response.get(15, TimeUnit.SECONDS);
    }

    private static void awaitNothingHeld(TestEdge edge) {
        await().atMost(LONG).until(() -> edge.memory() == 0 && edge.waiting() == 0);
    }

    private static String post(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n\r\n";
    }

    @Test
    void largeBody_waitsUntilTheCallersOtherBodyIsAnswered() throws Exception {
        try (TestEdge edge = edge()) {
            var held = hold(edge);
            var declared = send(edge, "/size", LIMIT);
            var inChunks = sendInChunks(edge, "/size", MB);
            await().atMost(LONG).until(() -> edge.waiting() == 2);
            assertThat(edge.inFlight())
                    .as("requests that wait are not worked on")
                    .isEqualTo(1);
            assertThat(of(send(edge, "/size", RequestMemory.UNCOUNTED)).body())
                    .as("a small body needs no room")
                    .isEqualTo("" + RequestMemory.UNCOUNTED);
            assertThat(declared).isNotDone();
            assertThat(inChunks).isNotDone();
            released.release();
            assertThat(of(held).body()).isEqualTo("" + LIMIT);
            assertThat(of(declared).body()).isEqualTo("" + LIMIT);
            assertThat(of(inChunks).body()).isEqualTo("" + MB);
            awaitNothingHeld(edge);
        }
    }

    @Test
    void otherCallers_findRoomBesideOneThatTakesAllItCan() throws Exception {
        try (TestEdge edge = edge()) {
            var held = hold(edge);
            var waiting = send(edge, "/size", LIMIT);
            HttpResponse<String> bob = edge.client.send(
                    edge.request("/size")
                            .setHeader("Authorization", "Bearer bob")
                            .POST(BodyPublishers.ofByteArray(new byte[MB]))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(bob.body()).isEqualTo("" + MB);
            HttpResponse<String> anyone = edge.client.send(
                    edge.request("/anyone")
                            .POST(BodyPublishers.ofByteArray(new byte[MB]))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(anyone.body()).as("a route without a caller").isEqualTo("" + MB);
            assertThat(waiting).isNotDone();
            released.release(2);
            of(held);
            of(waiting);
        }
    }

    @Test
    void bodiesThatAreDeclaredAndNotSent_holdNothing() throws Exception {
        try (TestEdge edge = edge();
                Crowd silent = new Crowd()) {
            for (int i = 0; i < 200; i++) {
                silent.join(edge).send(post("/size", "Content-Length: " + LIMIT) + "x");
            }
            await().atMost(LONG).until(() -> edge.waiting() == 200);
            assertThat(edge.memory()).isZero();
            assertThat(of(send(edge, "/size", LIMIT)).body()).isEqualTo("" + LIMIT);
        }
    }

    @Test
    void bodiesWithoutTheirLastBytes_holdTheirCallersPartOnly() throws Exception {
        try (TestEdge edge = edge(SHORT, LONG);
                Crowd unfinished = new Crowd()) {
            for (int i = 0; i < 10; i++) {
                unfinished
                        .join(edge)
                        .send(post("/size", "Content-Length: " + MB))
                        .send(new byte[MB / 2]);
            }
            await().atMost(LONG).until(() -> edge.memory() > 0 && edge.waiting() < 10);
            assertThat(edge.memory()).isLessThanOrEqualTo(MEMORY * 3.0 / 4 / 2);
            assertThat(edge.client
                            .send(
                                    edge.request("/size")
                                            .setHeader("Authorization", "Bearer bob")
                                            .POST(BodyPublishers.ofByteArray(new byte[MB]))
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void bodyThatNoHandlerAskedFor_staysInItsSocket() throws Exception {
        try (TestEdge edge = edge();
                SocketChannel client = SocketChannel.open()) {
            client.setOption(StandardSocketOptions.SO_SNDBUF, 16 * 1024);
            client.connect(new InetSocketAddress("127.0.0.1", edge.port()));
            client.configureBlocking(false);
            client.write(
                    ByteBuffer.wrap(post("/wait", "Content-Length: " + LIMIT).getBytes(StandardCharsets.US_ASCII)));
            assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            ByteBuffer body = ByteBuffer.allocate(LIMIT);
            await().during(SHORT).atMost(LONG).until(() -> client.write(body) == 0);
            assertThat(body.position())
                    .as("bytes beyond the buffers of both sockets, which the server must have read")
                    .isLessThan(MB);
            released.release();
        }
    }

    @Test
    void handlerThatRefusesByTheHead_readsNoBody() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send(post("/head", "Content-Length: " + LIMIT) + "x");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ").contains("the body is not read");
            assertThat(edge.memory()).isZero();
        }
    }

    @Test
    void bodyAboveItsLimit_isRefusedWithoutMemory() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            var held = hold(edge);
            raw.send(post("/run", "Content-Length: " + (LIMIT + 1)));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ").contains("That is too much for us");
            released.release();
            of(held);
            assertThat(of(sendInChunks(edge, "/size", LIMIT + 1)).statusCode()).isEqualTo(413);
            assertThat(of(sendInChunks(edge, "/size", LIMIT)).body()).isEqualTo("" + LIMIT);
        }
    }

    @Test
    void bodyWithoutRoomInTime_isRefusedAndItsConnectionLives() throws Exception {
        try (TestEdge edge = edge(SHORT, LONG);
                RawClient raw = edge.raw()) {
            var held = hold(edge);
            raw.send(post("/size", "Content-Length: " + LIMIT)).send(new byte[LIMIT]);
            assertThat(raw.response())
                    .startsWith("HTTP/1.1 503 ")
                    .containsIgnoringCase("retry-after: 1\r\n")
                    .contains("/problems/overloaded");
            assertThat(of(sendInChunks(edge, "/size", LIMIT)).statusCode()).isEqualTo(503);
            assertThat(edge.registry
                            .get("parley.http.memory.refused")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
            released.release();
            of(held);
            assertThat(of(send(edge, "/size", LIMIT)).body()).isEqualTo("" + LIMIT);
        }
    }

    @Test
    void timeToArrive_isNotSpentWhileTheBodyWaitsForMemory() throws Exception {
        Duration bodyTimeout = Duration.ofSeconds(2);
        try (TestEdge edge = edge(LONG, bodyTimeout);
                RawClient raw = edge.raw()) {
            var held = hold(edge);
            long began = System.nanoTime();
            raw.send(post("/size", "Content-Length: " + LIMIT)).send(new byte[MB]);
            await().atMost(LONG).until(() -> edge.waiting() == 1);
            await().atMost(LONG).until(() -> System.nanoTime() - began > bodyTimeout.toNanos() * 3 / 2);
            released.release();
            of(held);
            raw.send(new byte[LIMIT - MB]);
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void timeToArrive_isNotSpentWhileTheHandlerIsBusyWithSomethingElse() throws Exception {
        Duration bodyTimeout = Duration.ofSeconds(2);
        try (TestEdge edge = edge(LONG, bodyTimeout);
                RawClient raw = edge.raw()) {
            long began = System.nanoTime();
            raw.send(post("/wait", "Content-Length: " + LIMIT)).send(new byte[MB]);
            assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            await().atMost(LONG).until(() -> System.nanoTime() - began > bodyTimeout.toNanos() * 3 / 2);
            released.release();
            raw.send(new byte[LIMIT - MB]);
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void bodyThatDoesNotArriveInTime_givesItsMemoryBack() throws Exception {
        try (TestEdge edge = edge(LONG, SHORT);
                RawClient raw = edge.raw()) {
            raw.send(post("/size", "Content-Length: " + LIMIT)).send(new byte[MB]);
            assertThat(raw.closedByServer()).isTrue();
            awaitNothingHeld(edge);
        }
    }

    @Test
    void clientThatLeavesInTheMiddle_givesItsMemoryBack() throws Exception {
        try (TestEdge edge = edge()) {
            try (RawClient raw = edge.raw()) {
                raw.send(post("/size", "Content-Length: " + LIMIT)).send(new byte[MB]);
                await().atMost(LONG).until(() -> edge.memory() > MB);
            }
            awaitNothingHeld(edge);
        }
    }

    @Test
    void streamThatAnswers_holdsNeitherMemoryNorBody() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send(post("/run", "Content-Length: " + LIMIT)).send(new byte[LIMIT]);
            assertThat(raw.until("took " + LIMIT)).startsWith("HTTP/1.1 200 ");
            assertThat(calls.element().body())
                    .as("the body of a call that a source keeps")
                    .isEmpty();
            awaitNothingHeld(edge);
        }
    }

    @Test
    void jsonOfManySmallValues_isRefusedBeforeItIsParsed() throws Exception {
        String wide = "{\"a\":[" + "{},".repeat(LIMIT / 4) + "{}]}";
        try (TestEdge edge = edge()) {
            HttpResponse<String> refused = of(send(edge, "/json", BodyPublishers.ofString(wide)));
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(TestEdge.json(refused).path("limit_bytes").asLong()).isEqualTo(MEMORY * 3 / 4 / 2);
            String one = "{\"a\":\"" + "x".repeat(LIMIT - 100) + "\"}";
            assertThat(of(send(edge, "/json", BodyPublishers.ofString(one))).body())
                    .as("a body of the same length with one value")
                    .isEqualTo("1");
            awaitNothingHeld(edge);
        }
    }

    @Test
    void read_reservesWhatItsFirstPassFoundToBeNeeded() throws Exception {
        try (TestEdge edge = edge()) {
            measured = edge;
            assertThat(edge.get("/read").body()).isEqualTo("" + 4.0 * MB);
            awaitNothingHeld(edge);
        }
    }

    @Test
    void answerThatIsNotTaken_isHeldUntilItsReaderIsCut() throws Exception {
        try (TestEdge edge = edge(SHORT, LONG);
                RawClient reader = new RawClient(edge.port(), 4096)) {
            reader.send("GET /answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
            await().atMost(LONG).until(() -> edge.memory() == 8.0 * MB);
            HttpResponse<String> second = edge.get("/answer");
            assertThat(second.statusCode()).as("no room for a second answer").isEqualTo(503);
            assertThat(second.headers().firstValue("retry-after")).isPresent();
            assertThat(second.body()).contains("memory");
            awaitNothingHeld(edge);
            assertThat(edge.get("/answer").statusCode()).isEqualTo(200);
        }
    }
}
