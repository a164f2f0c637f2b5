package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StreamTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final String REQUEST = "GET /s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n";
    private final Queue<Reader> readers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closes = new AtomicInteger();

    /** Sends numbered frames as its connection takes them. */
    private static final class Reader {
        private final SseConnection connection;
        private final String name;
        private final int size;
        private final int last;
        private int next = 1;

        Reader(SseConnection connection, String name, int size, int last) {
            this.connection = connection;
            this.name = name;
            this.size = size;
            this.last = last;
        }

        void pump() {
            while (next <= last && connection.send(Frames.event(name + next, null, "x".repeat(size)))) {
                next++;
            }
        }
    }

    private StreamSource source(int size, int last) {
        return connection -> {
            Reader reader = new Reader(connection, "", size, last);
            connection.onClose(closes::incrementAndGet);
            connection.onWritable(reader::pump);
            readers.add(reader);
            reader.pump();
        };
    }

    private TestEdge edge(HttpSettings settings, int size, int last) {
        return TestEdge.start(
                settings,
                routes -> routes.stream("/s", Unrated.FREE, call -> source(size, last))
                        .streamPost(
                                "/run",
                                100,
                                Unrated.FREE,
                                call -> call.body().length == 0
                                        ? Answer.ok("nothing to run")
                                        : (StreamSource)
                                                connection -> connection.close(Frames.event(null, "done", "bye")))
                        .stream("/broken", Unrated.FREE, call -> (StreamSource) connection -> {
                    connection.onClose(closes::incrementAndGet);
                    throw new IllegalStateException("a bug");
                }));
    }

    @Test
    void headAndFirstCommentComeAtOnce() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0)) {
            HttpResponse<InputStream> response = edge.client.send(
                    edge.request("/s").header("Accept-Encoding", "gzip").build(), BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream; charset=utf-8");
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.headers().firstValue("X-Accel-Buffering")).contains("no");
            assertThat(response.headers().firstValue("X-Request-Id")).isPresent();
            assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(new String(response.body().readNBytes(8), StandardCharsets.UTF_8))
                    .isEqualTo(": open\n\n");
            response.body().close();
        }
    }

    @Test
    void aPostMayBeAnsweredByAStreamOrPlainly() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0)) {
            HttpResponse<String> stream = edge.post("/run", "go");
            assertThat(stream.body()).isEqualTo(": open\n\nevent: done\ndata: bye\n\n");
            assertThat(edge.post("/run", BodyPublishers.noBody()).body()).isEqualTo("\"nothing to run\"");
            await().atMost(LONG).until(() -> open(edge) == 0);
        }
    }

    @Test
    void anEndedStreamLeavesItsConnectionToTheNextRequest() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0);
                RawClient raw = edge.raw()) {
            String post = "POST /run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 2\r\n\r\ngo";
            raw.send(post + post);
            assertThat(raw.until("\r\n0\r\n\r\n")).contains("bye");
            assertThat(raw.until("\r\n0\r\n\r\n")).contains("bye");
        }
    }

    @Test
    void aHeadRequestOpensNoStream() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0)) {
            HttpResponse<String> response = edge.client.send(
                    edge.request("/s").method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            await().atMost(LONG).until(() -> closes.get() == 1 && open(edge) == 0);
        }
    }

    /** Each source would fill the queue alone, again and again: in turns both come to their end together. */
    @Test
    @Timeout(60)
    void twoSourcesOfOneConnectionTakeTurnsAndBothLearnOfItsEnd() throws Exception {
        int frames = 400;
        HttpSettings settings = TestEdge.withStreams(LONG, LONG, 16 * 1024, 4 * 1024);
        try (TestEdge edge = TestEdge.start(
                settings,
                routes -> routes.stream("/s", Unrated.FREE, call -> (StreamSource) connection -> {
                    for (String name : List.of("a", "b")) {
                        Reader reader = new Reader(connection, name, 16 * 1024, frames);
                        connection.onClose(closes::incrementAndGet);
                        connection.onWritable(reader::pump);
                        reader.pump();
                    }
                }))) {
            HttpResponse<InputStream> response =
                    edge.client.send(edge.request("/s").build(), BodyHandlers.ofInputStream());
            List<String> order = new ArrayList<>();
            try (InputStream body = response.body()) {
                new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))
                        .lines()
                        .filter(line -> line.startsWith("id: "))
                        .limit(2L * frames)
                        .forEach(order::add);
            }
            assertThat(order).doesNotHaveDuplicates().hasSize(2 * frames);
            for (int i = frames / 2; i < frames; i++) {
                long ofA = order.subList(0, i).stream()
                        .filter(id -> id.startsWith("id: a"))
                        .count();
                assertThat(ofA).isBetween(i * 3L / 10, i * 7L / 10);
            }
            await().atMost(LONG).until(() -> closes.get() == 2 && open(edge) == 0);
        }
    }

    @Test
    void silentStreamGetsHeartbeats() throws Exception {
        HttpSettings settings = TestEdge.withStreams(Duration.ofMillis(100), LONG, 64 * 1024, 0);
        try (TestEdge edge = edge(settings, 0, 0);
                RawClient raw = edge.raw()) {
            raw.send(REQUEST);
            for (int i = 0; i < 3; i++) {
                assertThat(raw.until(": keep-alive\n\n")).endsWith(": keep-alive\n\n");
            }
        }
    }

    @Test
    void aClientThatLeavesIsNoticedAtOnceAndOnlyOnce() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0)) {
            try (RawClient raw = edge.raw()) {
                assertThat(raw.send(REQUEST).head()).startsWith("HTTP/1.1 200 ");
                await().atMost(LONG).until(() -> readers.size() == 1 && open(edge) == 1);
            }
            await().atMost(LONG).until(() -> closes.get() == 1 && open(edge) == 0);
            SseConnection gone = readers.element().connection;
            gone.execute(() -> {
                gone.close(Frames.NONE);
                gone.cut();
                assertThat(gone.send(Frames.comment("x"))).isFalse();
                gone.onClose(() -> closes.addAndGet(10));
            });
            await().atMost(LONG).until(() -> closes.get() == 11);
        }
        assertThat(closes).hasValue(11);
    }

    @Test
    void failedSourceEndsOnlyItsOwnStream() throws Exception {
        try (TestEdge edge = edge(TestEdge.SETTINGS, 0, 0);
                RawClient raw = edge.raw()) {
            raw.send(REQUEST.replace("/s", "/broken"));
            assertThat(raw.closedByServer()).isTrue();
            await().atMost(LONG).until(() -> closes.get() == 1 && open(edge) == 0);
            assertThat(edge.post("/run", "go").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void everyReaderGetsEveryFrameWhileOneThatNeverReadsIsCut() throws Exception {
        int frames = 40;
        int size = 4_000;
        HttpSettings settings = TestEdge.withStreams(LONG, Duration.ofSeconds(3), 16 * 1024, 8 * 1024);
        try (TestEdge edge = edge(settings, size, frames);
                RawClient stuck = new RawClient(edge.port(), 4 * 1024)) {
            stuck.send(REQUEST);
            await().atMost(LONG).until(() -> readers.size() == 1);
            SseConnection slow = readers.element().connection;
            List<Thread> threads = new ArrayList<>();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            AtomicInteger complete = new AtomicInteger();
            for (int i = 0; i < 200; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try (RawClient reader = edge.raw()) {
                        reader.send(REQUEST);
                        for (int n = 1; n <= frames; n++) {
                            String frame = reader.until("x\n\n");
                            if (!frame.contains("id: " + n + "\ndata: " + "x".repeat(size))) {
                                wrong.add("frame " + n + ": " + frame.length());
                            }
                        }
                        complete.incrementAndGet();
                    } catch (IOException e) {
                        wrong.add(e.toString());
                    }
                }));
            }
            for (Thread thread : threads) {
                assertThat(thread.join(LONG)).isTrue();
            }
            assertThat(wrong).isEmpty();
            assertThat(complete).hasValue(200);
            await().atMost(LONG).until(() -> cut(edge) == 1);
            assertThat(slow.closed()).isTrue();
            assertThat(slow.sent()).as("bytes queued for the stuck reader").isLessThan((long) frames * size);
            await().atMost(LONG).until(() -> closes.get() == 201 && open(edge) == 0);
            assertThat(cut(edge)).isEqualTo(1);
        }
    }

    @Test
    void aSlowButSteadyReaderIsNotCut() throws Exception {
        int frames = 20;
        int size = 8_000;
        // Reading half of so large a queue takes longer than a stuck reader may take.
        HttpSettings settings = TestEdge.withStreams(LONG, Duration.ofSeconds(1), 128 * 1024, 4 * 1024);
        try (TestEdge edge = edge(settings, size, frames);
                RawClient reader = new RawClient(edge.port(), 4 * 1024)) {
            reader.send(REQUEST);
            AtomicInteger taken = new AtomicInteger();
            await().atMost(LONG)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> taken.addAndGet(reader.take(4 * 1024)) >= frames * size - 4 * 1024);
            assertThat(cut(edge)).isZero();
            assertThat(open(edge)).isEqualTo(1);
        }
    }

    private static double open(TestEdge edge) {
        return edge.registry.get("parley.sse.open").gauge().value();
    }

    private static double cut(TestEdge edge) {
        return edge.registry.get("parley.sse.slow.readers.cut").counter().count();
    }
}
