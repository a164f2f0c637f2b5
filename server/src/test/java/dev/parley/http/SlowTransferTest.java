package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.parley.testing.CapturedLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send or take their bytes slowly, more of them than working slots. */
class SlowTransferTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String TAG = "\"v1\"";
    private final AtomicInteger opened = new AtomicInteger();
    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Deque<RawClient> slow = new ArrayDeque<>();

    private void routes(Routes<String> routes) {
        routes.get("/quick", Unrated.FREE, call -> Answer.ok("quick"))
                .download(
                        "/endless",
                        Unrated.FREE,
                        call -> Download.of("a/b", 10_000_000_000L, TAG, (from, length) -> {
                            opened.incrementAndGet();
                            return new Zeros();
                        }))
                .download(
                        "/small",
                        Unrated.FREE,
                        call -> Download.of(
                                "a/b", 3, TAG, (from, length) -> new ByteArrayInputStream(new byte[(int) length])))
                .download(
                        "/fails",
                        Unrated.FREE,
                        call -> Download.of("a/b", 3, TAG, (from, length) -> {
                            throw new IOException("The disk is gone.");
                        }))
                .upload(
                        "POST",
                        "/count",
                        BodyLimit.of(1000),
                        Unrated.FREE,
                        call -> Answer.ok(call.stream().readAllBytes().length))
                .upload("POST", "/first", BodyLimit.of(1000), Unrated.FREE, call -> {
                    int first = call.stream().read();
                    read.countDown();
                    return Answer.ok(released.await(10, TimeUnit.SECONDS) ? first : -1);
                });
    }

    private static final class Zeros extends InputStream {
        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return length;
        }
    }

    /** One caller may have half of the waiting slots. */
    private TestEdge threeWaiting() {
        return TestEdge.start(TestEdge.withMaxInFlight(4, 6), this::routes);
    }

    private RawClient begin(TestEdge edge, String request) throws IOException {
        RawClient client = edge.raw();
        slow.add(client);
        client.send(request);
        await().atMost(SOON).until(() -> edge.waiting() == slow.size());
        return client;
    }

    @AfterEach
    void leave() throws IOException {
        released.countDown();
        while (!slow.isEmpty()) {
            slow.pop().close();
        }
    }

    private void leaveAndAwaitNothing(TestEdge edge) throws IOException {
        leave();
        awaitCounts(edge, 0, 0);
    }

    private static void awaitCounts(TestEdge edge, int inFlight, int waiting) {
        await().atMost(SOON).until(() -> edge.inFlight() == inFlight && edge.waiting() == waiting);
    }

    @Test
    void slowDownloadsKeepNoWorkOutAndAreBounded() throws Exception {
        try (TestEdge edge = threeWaiting()) {
            for (int i = 0; i < 3; i++) {
                assertThat(begin(edge, get("/endless", "")).head()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(edge.inFlight()).isZero();
            assertThat(edge.get("/quick").statusCode()).isEqualTo(200);
            assertOverloaded(edge.get("/endless"));
            assertThat(opened).hasValue(3);
            leaveAndAwaitNothing(edge);
            assertThat(edge.get("/small").statusCode()).isEqualTo(200);
            awaitCounts(edge, 0, 0);
        }
    }

    @Test
    void answerWithoutBytesOfTheDownloadNeedsNoSlot() throws Exception {
        try (TestEdge edge = threeWaiting();
                RawClient raw = edge.raw()) {
            for (int i = 0; i < 3; i++) {
                begin(edge, get("/endless", ""));
            }
            assertThat(raw.send(get("/small", "").replace("GET", "HEAD")).head())
                    .startsWith("HTTP/1.1 200 ");
            assertThat(raw.send(get("/small", "If-None-Match: " + TAG + "\r\n")).head())
                    .startsWith("HTTP/1.1 304 ");
            assertThat(raw.send(get("/small", "Range: bytes=3-\r\n")).response())
                    .startsWith("HTTP/1.1 416 ");
            leaveAndAwaitNothing(edge);
        }
    }

    @Test
    void failedDownloadFreesItsSlot() throws Exception {
        try (TestEdge edge = threeWaiting()) {
            for (int i = 0; i < 5; i++) {
                assertThat(edge.get("/fails").statusCode()).isEqualTo(500);
            }
            awaitCounts(edge, 0, 0);
        }
    }

    @Test
    void slowUploadsKeepNoWorkOutAndAreBounded() throws Exception {
        try (TestEdge edge = threeWaiting();
                RawClient oneTooMany = edge.raw()) {
            RawClient first = begin(edge, post("/count", "Content-Length: 8\r\n") + "half");
            begin(edge, post("/count", "Content-Length: 8\r\n"));
            begin(edge, post("/count", "Transfer-Encoding: chunked\r\n") + "4\r\nhalf\r\n");
            assertThat(edge.inFlight()).isZero();
            assertThat(edge.get("/quick").statusCode()).isEqualTo(200);
            oneTooMany.send(post("/count", "Content-Length: 8\r\nExpect: 100-continue\r\n"));
            assertThat(oneTooMany.response()).startsWith("HTTP/1.1 503 ").contains("/problems/overloaded");
            assertThat(first.send("rest").response())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\n8");
            awaitCounts(edge, 0, 2);
            assertThat(edge.post("/count", "12345").body()).isEqualTo("5");
            leaveAndAwaitNothing(edge);
        }
    }

    @Test
    void uploadsAndDownloadsShareTheBound() throws Exception {
        try (TestEdge edge = threeWaiting()) {
            begin(edge, get("/endless", ""));
            begin(edge, post("/count", "Content-Length: 8\r\n"));
            begin(edge, get("/endless", ""));
            assertOverloaded(edge.post("/count", "12345"));
            assertOverloaded(edge.get("/small"));
            assertThat(edge.post("/count", "").body())
                    .as("no wait for an upload that is complete")
                    .isEqualTo("0");
            leaveAndAwaitNothing(edge);
        }
    }

    @Test
    void arrivedUploadCountsAsWorking() throws Exception {
        try (TestEdge edge = threeWaiting();
                RawClient raw = edge.raw()) {
            raw.send(post("/first", "Content-Length: 3\r\n") + "ab");
            assertThat(read.await(10, TimeUnit.SECONDS)).isTrue();
            awaitCounts(edge, 0, 1);
            raw.send("c");
            awaitCounts(edge, 1, 0);
            released.countDown();
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n97");
            awaitCounts(edge, 0, 0);
        }
    }

    @Test
    void aDownloadWhoseReaderTakesLessThanAParcelInItsTimeIsCut() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withParcelTime(Duration.ofMillis(500)), this::routes);
                RawClient raw = new RawClient(edge.port(), 4 * 1024)) {
            raw.send(get("/endless", ""));
            await().pollInterval(Duration.ofMillis(20))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .atMost(SOON)
                    .until(() -> cut(edge) == 1 || raw.take(100) < 0);
            awaitCounts(edge, 0, 0);
        }
    }

    @Test
    void aDownloadWhoseReaderTakesMoreGoesOn() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withParcelTime(Duration.ofMillis(500)), this::routes);
                RawClient raw = new RawClient(edge.port(), 64 * 1024)) {
            raw.send(get("/endless", ""));
            long began = System.nanoTime();
            await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
                assertThat(raw.take(64 * 1024)).isEqualTo(64 * 1024);
                return System.nanoTime() - began > Duration.ofMillis(1500).toNanos();
            });
            assertThat(cut(edge)).isZero();
        }
    }

    @Test
    void stopThatEndsDownloadsLogsNoWarning() throws Exception {
        try (CapturedLog log = new CapturedLog(Transfer.class.getName());
                TestEdge edge = TestEdge.start(this::routes)) {
            begin(edge, get("/endless", ""));
            edge.edge.stop(Duration.ofMillis(50));
            awaitCounts(edge, 0, 0);
            assertThat(log.events()).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
        }
    }

    private static double cut(TestEdge edge) {
        return edge.registry.get("parley.http.downloads.cut").counter().count();
    }

    private static void assertOverloaded(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(response.body()).contains("/problems/overloaded");
    }

    private static String get(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n";
    }

    private static String post(String path, String headers) {
        return get(path, headers).replace("GET", "POST");
    }
}
