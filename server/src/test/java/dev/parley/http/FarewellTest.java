package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ends of streams whose answers have a farewell, for every cause of the end. */
class FarewellTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Frames DETACHED = Frames.event(null, null, "detached");
    private static final String LAST_WORD = "data: detached\n\n\r\n0\r\n\r\n";
    private final Queue<SseConnection> opened = new ConcurrentLinkedQueue<>();
    private final Queue<Boolean> leftByClient = new ConcurrentLinkedQueue<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private void opened(SseConnection connection) {
        connection.onClose(() -> leftByClient.add(connection.leftByClient()));
        opened.add(connection);
    }

    private TestEdge edge() {
        // The sockets take little, so that most of the written bytes wait here.
        return TestEdge.start(
                TestEdge.withStreams(LONG, TIMEOUT, 64 * 1024, 4 * 1024),
                routes -> routes.stream("/polite", Unrated.FREE, call -> (StreamSource) connection -> {
                            connection.farewell(DETACHED);
                            opened(connection);
                        })
                        .stream("/plain", Unrated.FREE, call -> (StreamSource) this::opened)
                        .stream("/broken", Unrated.FREE, call -> (StreamSource) connection -> {
                            connection.farewell(DETACHED);
                            opened(connection);
                            throw new IllegalStateException("a bug");
                        })
                        .streamPost("/late", 10, Unrated.FREE, call -> {
                            entered.countDown();
                            released.await(10, TimeUnit.SECONDS);
                            return (StreamSource) connection -> {
                                connection.farewell(DETACHED);
                                opened(connection);
                            };
                        }));
    }

    @AfterEach
    void release() {
        released.countDown();
    }

    private SseConnection open(TestEdge edge, RawClient client, String path) throws IOException {
        int before = opened.size();
        client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
        await().atMost(LONG).until(() -> opened.size() > before && openStreams(edge) == 1);
        return opened.stream().skip(before).findFirst().orElseThrow();
    }

    private static void on(SseConnection connection, Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        connection.execute(() -> {
            task.run();
            done.complete(null);
        });
        done.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Fills the queue of a reader that takes nothing. */
    private static void fill(SseConnection connection) {
        Frames frame = Frames.event(null, null, "x".repeat(4_000));
        on(connection, () -> {
            while (connection.send(frame)) {}
        });
    }

    private void assertEndedByServer() {
        await().atMost(LONG).until(() -> leftByClient.size() == 1);
        assertThat(leftByClient).containsExactly(false);
    }

    @Test
    void everyEndOfAStreamSendsItsFarewell() throws Exception {
        try (TestEdge edge = edge();
                RawClient client = edge.raw()) {
            SseConnection connection = open(edge, client, "/polite");
            connection.execute(() -> connection.end(Frames.comment("not yours")));
            assertThat(client.until("\r\n0\r\n\r\n")).contains(": not yours\n\n" + LAST_WORD);
            assertEndedByServer();
        }
    }

    @Test
    void sourcesOwnEndSendsNoFarewell() throws Exception {
        try (TestEdge edge = edge();
                RawClient client = edge.raw()) {
            SseConnection connection = open(edge, client, "/polite");
            connection.execute(() -> {
                connection.close(Frames.event(null, null, "done"));
                connection.end(Frames.NONE);
                connection.breakOff();
            });
            assertThat(client.until("\r\n0\r\n\r\n"))
                    .contains("data: done\n\n\r\n0\r\n\r\n")
                    .doesNotContain("detached");
            assertEndedByServer();
        }
    }

    @Test
    void streamWithoutFarewellEndsPlainlyAndIsCutByABreak() throws Exception {
        try (TestEdge edge = edge()) {
            try (RawClient client = edge.raw()) {
                SseConnection connection = open(edge, client, "/plain");
                connection.execute(() -> connection.end(Frames.comment("not yours")));
                assertThat(client.until("\r\n0\r\n\r\n")).endsWith(": not yours\n\n\r\n0\r\n\r\n");
            }
            try (RawClient client = edge.raw()) {
                SseConnection connection = open(edge, client, "/plain");
                connection.execute(connection::breakOff);
                assertThat(untilLost(client)).doesNotContain("\r\n0\r\n\r\n");
            }
            await().atMost(LONG).until(() -> leftByClient.size() == 2);
            assertThat(leftByClient).containsExactly(false, false);
        }
    }

    @Test
    void failedTaskBreaksTheStreamOffWithItsFarewell() throws Exception {
        try (TestEdge edge = edge();
                RawClient client = edge.raw();
                RawClient other = edge.raw()) {
            SseConnection connection = open(edge, client, "/polite");
            connection.execute(() -> {
                throw new IllegalStateException("a bug");
            });
            assertThat(client.until("\r\n0\r\n\r\n")).endsWith(LAST_WORD);
            other.send("GET /broken HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
            assertThat(other.until("\r\n0\r\n\r\n")).endsWith(LAST_WORD);
            await().atMost(LONG).until(() -> leftByClient.size() == 2);
            assertThat(leftByClient).containsExactly(false, false);
        }
    }

    @Test
    void stopSendsEveryFarewell() throws Exception {
        try (TestEdge edge = edge();
                RawClient client = edge.raw()) {
            open(edge, client, "/polite");
            edge.edge.stop(LONG);
            assertThat(client.until("\r\n0\r\n\r\n")).endsWith(LAST_WORD);
            assertThat(client.closedByServer()).isTrue();
            assertEndedByServer();
        }
    }

    @Test
    void streamThatOpensDuringAStopSendsItsFarewell() throws Exception {
        try (TestEdge edge = edge();
                RawClient client = edge.raw()) {
            client.send("POST /late HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 2\r\n\r\ngo");
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> edge.edge.stop(LONG));
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(edge.get("/nowhere").statusCode()).isEqualTo(503));
            released.countDown();
            assertThat(client.until("\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith(LAST_WORD);
            stopped.get(15, TimeUnit.SECONDS);
            assertEndedByServer();
        }
    }

    @Test
    void stuckReaderThatWakesUpInTimeGetsTheFarewellAfterItsQueue() throws Exception {
        try (TestEdge edge = edge();
                RawClient stuck = new RawClient(edge.port(), 4 * 1024)) {
            SseConnection connection = open(edge, stuck, "/polite");
            fill(connection);
            await().atMost(LONG).until(() -> cut(edge) == 1);
            assertThat(stuck.until("\r\n0\r\n\r\n")).contains("x\n\n").endsWith(LAST_WORD);
            assertEndedByServer();
            assertThat(openStreams(edge)).isZero();
            stuck.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(stuck.response())
                    .as("the connection takes another request")
                    .startsWith("HTTP/1.1 404 ");
            assertThat(cut(edge)).isEqualTo(1);
        }
    }

    @Test
    void stuckReaderThatDoesNotTakeTheFarewellIsCut() throws Exception {
        try (TestEdge edge = edge();
                RawClient stuck = new RawClient(edge.port(), 4 * 1024)) {
            SseConnection connection = open(edge, stuck, "/polite");
            fill(connection);
            long queued = connection.sent();
            await().atMost(LONG).until(() -> cut(edge) == 1);
            assertEndedByServer();
            on(connection, () -> {
                assertThat(connection.send(DETACHED)).isFalse();
                connection.close(DETACHED);
            });
            assertThat(connection.sent()).as("only the farewell is queued").isEqualTo(queued + DETACHED.size());
            await().atMost(LONG).until(() -> isLost(stuck));
            assertThat(untilLost(stuck)).doesNotContain("detached");
            assertThat(cut(edge)).isEqualTo(1);
        }
    }

    @Test
    void endOfASlowReadersStreamLetsItCatchUpFirst() throws Exception {
        try (TestEdge edge = edge();
                RawClient behind = new RawClient(edge.port(), 4 * 1024)) {
            SseConnection connection = open(edge, behind, "/polite");
            fill(connection);
            connection.execute(() -> connection.end(Frames.comment("not yours")));
            assertThat(behind.until("\r\n0\r\n\r\n")).endsWith(": not yours\n\n" + LAST_WORD);
            assertEndedByServer();
            assertThat(cut(edge)).isZero();
        }
    }

    @Test
    void endOfASlowReadersStreamWithoutFarewellCutsIt() throws Exception {
        try (TestEdge edge = edge();
                RawClient behind = new RawClient(edge.port(), 4 * 1024)) {
            SseConnection connection = open(edge, behind, "/plain");
            fill(connection);
            connection.execute(() -> connection.end(Frames.comment("not yours")));
            assertThat(untilLost(behind)).doesNotContain("not yours");
            assertEndedByServer();
        }
    }

    @Test
    void stopLetsASlowReaderCatchUp() throws Exception {
        try (TestEdge edge = edge();
                RawClient behind = new RawClient(edge.port(), 4 * 1024)) {
            fill(open(edge, behind, "/polite"));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> edge.edge.stop(LONG));
            await().atMost(LONG).until(() -> leftByClient.size() == 1);
            assertThat(behind.until("\r\n0\r\n\r\n")).endsWith(LAST_WORD);
            stopped.get(15, TimeUnit.SECONDS);
        }
    }

    @Test
    void stopDoesNotWaitForAStuckReader() throws Exception {
        try (TestEdge edge = edge();
                RawClient stuck = new RawClient(edge.port(), 4 * 1024)) {
            fill(open(edge, stuck, "/polite"));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> edge.edge.stop(LONG));
            stopped.get(10, TimeUnit.SECONDS);
            assertEndedByServer();
            await().atMost(LONG).until(() -> isLost(stuck));
        }
    }

    @Test
    void readerThatTakesTheFarewellSlowlyIsNotCut() throws Exception {
        try (TestEdge edge = edge();
                RawClient slow = new RawClient(edge.port(), 4 * 1024)) {
            SseConnection connection = open(edge, slow, "/polite");
            fill(connection);
            connection.execute(() -> connection.end(Frames.NONE));
            StringBuilder taken = new StringBuilder();
            await().atMost(LONG).pollInterval(Duration.ofMillis(100)).until(() -> {
                taken.append(slow.until("xxx\n\n"));
                return taken.indexOf("x\n\n") >= 0 && taken.length() > connection.sent() - 3 * 4_000;
            });
            assertThat(slow.until("\r\n0\r\n\r\n")).endsWith(LAST_WORD);
        }
    }

    @Test
    void leavingClientIsDistinguishedFromAnEndByTheServer() throws Exception {
        try (TestEdge edge = edge()) {
            try (RawClient client = edge.raw()) {
                assertThat(open(edge, client, "/polite").leftByClient()).isFalse();
            }
            await().atMost(LONG).until(() -> leftByClient.size() == 1);
            try (RawClient client = edge.raw()) {
                open(edge, client, "/polite");
                client.finish();
                await().atMost(LONG).until(() -> leftByClient.size() == 2);
            }
            assertThat(leftByClient).containsExactly(true, true);
        }
    }

    /** Sends a request without reading: a reader would empty the queue. */
    private static boolean isLost(RawClient client) {
        try {
            client.send("\r\n");
            return false;
        } catch (IOException cut) {
            return true;
        }
    }

    private static String untilLost(RawClient client) {
        StringBuilder all = new StringBuilder();
        try {
            for (String next = client.until("\n"); !next.isEmpty(); next = client.until("\n")) {
                all.append(next);
            }
        } catch (IOException cut) {
            all.append(" (cut)");
        }
        return all.toString();
    }

    private static double openStreams(TestEdge edge) {
        return edge.registry.get("parley.sse.open").gauge().value();
    }

    private static double cut(TestEdge edge) {
        return edge.registry.get("parley.sse.slow.readers.cut").counter().count();
    }
}
