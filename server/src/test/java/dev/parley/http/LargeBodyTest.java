package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies over 1 MB, of which only a few are in memory at the same time. */
class LargeBodyTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final int MB = 1024 * 1024;
    private static final int LIMIT = 3 * MB;
    private final Semaphore released = new Semaphore(0);
    private final Semaphore entered = new Semaphore(0);
    private final Queue<Call<String>> calls = new ConcurrentLinkedQueue<>();

    /** One place for all: every second large body waits. */
    private TestEdge edge(Duration bodyTimeout) {
        return TestEdge.start(
                TestEdge.withLargeBodies(1, bodyTimeout),
                routes -> routes.post("/size", LIMIT, call -> Answer.ok(call.body().length))
                        .post("/hold", LIMIT, call -> {
                            entered.release();
                            released.tryAcquire(10, TimeUnit.SECONDS);
                            return Answer.ok(call.body().length);
                        })
                        .streamPost("/run", new BodyLimit(LIMIT, "That is too much for us"), call -> {
                            int size = call.body().length;
                            calls.add(call);
                            return (StreamSource) connection -> connection.send(Frames.comment("took " + size));
                        }));
    }

    @AfterEach
    void release() {
        released.release(100);
    }

    private CompletableFuture<HttpResponse<String>> hold(TestEdge edge) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> held = send(edge, "/hold", MB + 1);
        assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        return held;
    }

    private static CompletableFuture<HttpResponse<String>> send(TestEdge edge, String path, int size) {
        return edge.client.sendAsync(
                edge.request(path)
                        .POST(BodyPublishers.ofByteArray(new byte[size]))
                        .build(),
                BodyHandlers.ofString());
    }

    private static CompletableFuture<HttpResponse<String>> sendInChunks(TestEdge edge, String path, int size) {
        return edge.client.sendAsync(
                edge.request(path)
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[size])))
                        .build(),
                BodyHandlers.ofString());
    }

    private static void awaitWaiting(TestEdge edge, int count) {
        await().atMost(LONG).until(() -> edge.waiting() == count);
    }

    private static String body(CompletableFuture<HttpResponse<String>> response) throws Exception {
        return response.get(15, TimeUnit.SECONDS).body();
    }

    @Test
    void aBodyOfExactlyAMegabyteNeedsNoPlace() throws Exception {
        try (TestEdge edge = edge(LONG)) {
            var held = hold(edge);
            assertThat(body(send(edge, "/size", MB))).isEqualTo("" + MB);
            assertThat(body(sendInChunks(edge, "/size", MB))).isEqualTo("" + MB);
            released.release();
            assertThat(body(held)).isEqualTo("" + (MB + 1));
        }
    }

    @Test
    void aLargerOneWaitsUntilAnotherIsWorkedOff() throws Exception {
        try (TestEdge edge = edge(LONG)) {
            var held = hold(edge);
            var declared = send(edge, "/size", LIMIT);
            var inChunks = sendInChunks(edge, "/size", MB + 1);
            awaitWaiting(edge, 2);
            assertThat(edge.inFlight()).as("those who wait are not worked on").isEqualTo(1);
            assertThat(declared).isNotDone();
            assertThat(inChunks).isNotDone();
            released.release();
            assertThat(body(held)).isEqualTo("" + (MB + 1));
            assertThat(body(declared)).isEqualTo("" + LIMIT);
            assertThat(body(inChunks)).isEqualTo("" + (MB + 1));
            awaitWaiting(edge, 0);
        }
    }

    @Test
    void oneThatIsTooLargeNeedsNoPlaceToBeRefused() throws Exception {
        try (TestEdge edge = edge(LONG);
                RawClient raw = edge.raw()) {
            var held = hold(edge);
            raw.send(post("/run", "Content-Length: " + (LIMIT + 1)));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ").contains("That is too much for us");
            released.release();
            body(held);
            assertThat(sendInChunks(edge, "/size", LIMIT + 1)
                            .get(15, TimeUnit.SECONDS)
                            .statusCode())
                    .isEqualTo(413);
            assertThat(body(sendInChunks(edge, "/size", LIMIT))).isEqualTo("" + LIMIT);
        }
    }

    @Test
    void oneThatFindsNoPlaceInTimeIsRefusedAndNotCut() throws Exception {
        try (TestEdge edge = edge(Duration.ofMillis(500));
                RawClient raw = edge.raw()) {
            var held = hold(edge);
            raw.send(post("/size", "Expect: 100-continue\r\nContent-Length: " + (MB + 1)));
            assertThat(raw.response())
                    .startsWith("HTTP/1.1 503 ")
                    .containsIgnoringCase("retry-after: 1\r\n")
                    .contains("/problems/overloaded");
            HttpResponse<String> inChunks = sendInChunks(edge, "/size", MB + 1).get(15, TimeUnit.SECONDS);
            assertThat(inChunks.statusCode()).isEqualTo(503);
            released.release();
            body(held);
            assertThat(body(send(edge, "/size", MB + 1))).isEqualTo("" + (MB + 1));
        }
    }

    @Test
    void itsTimeToArriveBeginsWhenItIsReadOn() throws Exception {
        Duration bodyTimeout = Duration.ofSeconds(2);
        try (TestEdge edge = edge(bodyTimeout);
                RawClient raw = edge.raw()) {
            long began = System.nanoTime();
            var held = hold(edge);
            raw.send(post("/size", "Content-Length: " + (MB + 1)));
            awaitPassed(began, bodyTimeout.multipliedBy(3).dividedBy(4));
            released.release();
            body(held);
            awaitPassed(began, bodyTimeout.multipliedBy(5).dividedBy(4));
            raw.send(new byte[MB + 1]);
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void oneThatDoesNotArriveInTimeGivesItsPlaceBack() throws Exception {
        try (TestEdge edge = edge(Duration.ofMillis(500));
                RawClient raw = edge.raw()) {
            raw.send(post("/size", "Content-Length: " + (MB + 1)) + "half");
            awaitWaiting(edge, 1);
            assertThat(raw.closedByServer()).isTrue();
            assertThat(body(send(edge, "/size", MB + 1))).isEqualTo("" + (MB + 1));
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleGivesItsPlaceBack() throws Exception {
        try (TestEdge edge = edge(LONG)) {
            try (RawClient raw = edge.raw()) {
                raw.send(post("/size", "Content-Length: " + (MB + 1)) + "half");
                awaitWaiting(edge, 1);
            }
            assertThat(body(send(edge, "/size", MB + 1))).isEqualTo("" + (MB + 1));
            awaitWaiting(edge, 0);
        }
    }

    @Test
    void aStreamThatAnswersHoldsNeitherThePlaceNorTheBody() throws Exception {
        try (TestEdge edge = edge(LONG);
                RawClient raw = edge.raw()) {
            raw.send(post("/run", "Content-Length: " + LIMIT)).send(new byte[LIMIT]);
            assertThat(raw.until("took " + LIMIT)).startsWith("HTTP/1.1 200 ");
            assertThat(calls.element().body())
                    .as("of a call that a source keeps")
                    .isEmpty();
            assertThat(body(send(edge, "/size", MB + 1))).isEqualTo("" + (MB + 1));
        }
    }

    private static void awaitPassed(long since, Duration time) {
        await().atMost(LONG).until(() -> System.nanoTime() - since > time.toNanos());
    }

    private static String post(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n\r\n";
    }
}
