package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UploadTest {
    private static final int LIMIT = 1_000_000;
    private static final Duration SOON = Duration.ofSeconds(10);

    @AutoClose
    private static final TestEdge edge = TestEdge.start(UploadTest::routes);

    private static final AtomicLong READ = new AtomicLong();
    private static final AtomicReference<Throwable> FAILED = new AtomicReference<>();
    private static volatile CountDownLatch door = new CountDownLatch(0);

    private static void routes(Routes<String> routes) {
        BodyLimit limit = BodyLimit.of(LIMIT);
        routes.upload("POST", "/sum", limit, Unrated.FREE, call -> Answer.ok(sum(call.stream())))
                .upload("PUT", "/sum", limit, Unrated.FREE, call -> Answer.ok(sum(call.stream())))
                .openUpload("PUT", "/signed", limit, call -> Answer.ok(sum(call.stream())))
                .upload(
                        "POST",
                        "/own",
                        new BodyLimit(10, "Ten are enough"),
                        Unrated.FREE,
                        call -> Answer.ok(sum(call.stream())))
                .upload("POST", "/large", BodyLimit.of(10_000_000), Unrated.FREE, call -> Answer.ok(sum(call.stream())))
                .upload("POST", "/unread", limit, Unrated.FREE, call -> Answer.ok("not read"))
                .upload(
                        "POST",
                        "/first",
                        limit,
                        Unrated.FREE,
                        call -> Answer.ok(call.stream().read()))
                .upload("POST", "/late", limit, Unrated.FREE, call -> {
                    assertThat(door.await(10, TimeUnit.SECONDS)).isTrue();
                    return Answer.ok(sum(call.stream()));
                })
                .upload("POST", "/collect", limit, Unrated.FREE, call -> Answer.ok(call.body().length))
                .post("/usual", 100, Unrated.FREE, call -> Answer.ok(sum(call.stream())));
    }

    private static String sum(InputStream in) throws IOException {
        CRC32 sum = new CRC32();
        byte[] some = new byte[10_000];
        long size = 0;
        try {
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                sum.update(some, 0, count);
                size += count;
                READ.set(size);
            }
        } catch (IOException | RuntimeException e) {
            FAILED.set(e);
            throw e;
        }
        return size + " " + sum.getValue();
    }

    private static String expected(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return "\"" + bytes.length + " " + sum.getValue() + "\"";
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, 300_000, LIMIT})
    void anUploadUpToTheLimitArrivesAsItWasSent(int size) throws Exception {
        byte[] body = bytes(size);
        assertThat(edge.post("/sum", BodyPublishers.ofByteArray(body)).body()).isEqualTo(expected(body));
        assertThat(edge.post("/sum", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .body())
                .isEqualTo(expected(body));
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT + 1, LIMIT + 20_000})
    void anUploadOverTheLimitIsRefusedDeclaredOrCounted(int size) throws Exception {
        byte[] body = bytes(size);
        for (HttpResponse<String> refused : List.of(
                edge.post("/sum", BodyPublishers.ofByteArray(body)),
                edge.post("/sum", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))))) {
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.body()).contains("\"limit_bytes\":" + LIMIT);
        }
    }

    @Test
    void routeRefusesWithItsOwnSentence() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/own", "Content-Length: 11"));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ").contains("Ten are enough");
        }
        try (RawClient raw = edge.raw()) {
            raw.send(head("/own", "Transfer-Encoding: chunked") + "b\r\nhello world\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ").contains("Ten are enough");
        }
    }

    @Test
    void aTinyPieceAtATimeArrivesWhole() throws Exception {
        try (RawClient raw = edge.raw()) {
            byte[] body = "x".repeat(5_000).getBytes(StandardCharsets.US_ASCII);
            raw.send(head("/sum", "Transfer-Encoding: chunked") + "1\r\nx\r\n".repeat(5_000) + "0\r\n\r\n");
            assertThat(raw.response()).endsWith(expected(body));
        }
    }

    @Test
    void aHugeBodyIsRefusedAfterItsLimitWithFlatMemory() throws Exception {
        byte[] piece = bytes(1 << 16);
        READ.set(0);
        long before = usedMemory();
        try (RawClient raw = edge.raw()) {
            raw.send(head("/large", "Transfer-Encoding: chunked"));
            long sent = sendChunks(raw, piece, 200_000_000L);
            assertThat(sent).as("bytes that the connection took").isLessThan(40_000_000L);
        }
        await().atMost(SOON).until(UploadTest::nothingInFlight);
        assertThat(READ.get()).isBetween(9_000_000L, 10_000_000L);
        assertThat(usedMemory() - before).isLessThan(20_000_000L);
    }

    /** The bytes that the server took before it closed the connection. */
    private static long sendChunks(RawClient raw, byte[] piece, long atMost) {
        byte[] start = "10000\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] end = "\r\n".getBytes(StandardCharsets.US_ASCII);
        long sent = 0;
        try {
            while (sent < atMost) {
                raw.send(start).send(piece).send(end);
                sent += piece.length;
            }
        } catch (IOException closed) {
            return sent;
        }
        return sent;
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void unreadBytesStayWithTheClient() throws Exception {
        door = new CountDownLatch(1);
        byte[] body = bytes(LIMIT);
        try (RawClient raw = edge.raw()) {
            raw.send(head("/late", "Content-Length: " + LIMIT));
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    raw.send(body);
                } catch (IOException e) {
                    FAILED.set(e);
                }
            });
            door.countDown();
            assertThat(raw.response()).endsWith(expected(body));
            sender.join();
        }
    }

    @Test
    void aConnectionGoesOnAfterAnUpload() throws Exception {
        byte[] body = bytes(300_000);
        try (RawClient raw = edge.raw()) {
            for (int i = 0; i < 3; i++) {
                raw.send(head("/sum", "Content-Length: 300000")).send(body);
                assertThat(raw.response()).startsWith("HTTP/1.1 200 ").endsWith(expected(body));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unread", "/first"})
    void aHandlerNeedNotReadAll(String path) throws Exception {
        byte[] body = bytes(500_000);
        try (RawClient raw = edge.raw()) {
            for (int i = 0; i < 2; i++) {
                raw.send(head(path, "Content-Length: 500000")).send(body);
                assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void continueIsSentOnlyWhenTheBodyIsRead() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/sum", "Content-Length: 3\r\nExpect: 100-continue"));
            assertThat(raw.head()).startsWith("HTTP/1.1 100 ");
            assertThat(raw.send("abc").response()).startsWith("HTTP/1.1 200 ");
        }
        try (RawClient raw = edge.raw()) {
            raw.send(head("/unread", "Content-Length: 3\r\nExpect: 100-continue"));
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ").containsIgnoringCase("connection: close");
            assertThat(raw.closedByServer()).isTrue();
        }
        try (RawClient raw = edge.raw()) {
            raw.send(head("/own", "Content-Length: 11\r\nExpect: 100-continue"));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleEndsTheReading() throws Exception {
        FAILED.set(new IllegalStateException("Nothing failed yet."));
        try (RawClient raw = edge.raw()) {
            raw.send(head("/sum", "Content-Length: 1000") + "half");
        }
        await().atMost(SOON).until(() -> FAILED.get() instanceof RequestBody.Lost);
        await().atMost(SOON).until(UploadTest::nothingInFlight);
    }

    @Test
    void aCompressedUploadIsRefused() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/sum", "Content-Length: 3\r\nContent-Encoding: gzip") + "abc");
            assertThat(raw.response()).startsWith("HTTP/1.1 415 ");
        }
    }

    @Test
    void callerIsAdmittedFirstUnlessTheRouteIsOpen() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send("PUT /sum HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(raw.response()).startsWith("HTTP/1.1 401 ");
            raw.send("PUT /signed HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void anUploadIsNotCollectedAndACollectedBodyCanBeStreamed() throws Exception {
        assertThat(edge.post("/collect", "abc").statusCode()).isEqualTo(500);
        assertThat(edge.post("/usual", "abc").body()).startsWith("\"3 ");
    }

    @Test
    void aSlowUploadMayTakeLongerThanASilentOne() throws Exception {
        HttpSettings settings = TestEdge.withUploads(Duration.ofMillis(600), Duration.ofSeconds(60));
        try (TestEdge hasty = TestEdge.start(settings, UploadTest::routes);
                RawClient steady = hasty.raw();
                RawClient silent = hasty.raw()) {
            long began = System.nanoTime();
            silent.send(head("/sum", "Content-Length: 1000") + "some");
            steady.send(head("/sum", "Transfer-Encoding: chunked"));
            await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
                steady.send("1\r\nx\r\n");
                return System.nanoTime() - began > Duration.ofMillis(1500).toNanos();
            });
            assertThat(steady.send("0\r\n\r\n").response()).startsWith("HTTP/1.1 200 ");
            assertThat(silent.response()).startsWith("HTTP/1.1 408 ");
            assertThat(silent.closedByServer()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        }
    }

    @Test
    void uploadHasATimeLimitInAll() throws Exception {
        HttpSettings settings = TestEdge.withUploads(Duration.ofSeconds(30), Duration.ofMillis(300));
        try (TestEdge hasty = TestEdge.start(settings, UploadTest::routes);
                RawClient raw = hasty.raw()) {
            raw.send(head("/sum", "Content-Length: 1000") + "some");
            assertThat(raw.response()).startsWith("HTTP/1.1 408 ").contains("/problems/body-timeout");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void theServerStopsWhileAnUploadWaits() throws Exception {
        try (TestEdge other = TestEdge.start(UploadTest::routes);
                RawClient raw = other.raw()) {
            raw.send(head("/sum", "Content-Length: 1000") + "some");
            await().atMost(SOON).until(() -> inFlight(other) == 1);
            other.edge.stop(Duration.ofMillis(200));
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    private static boolean nothingInFlight() {
        return inFlight(edge) == 0;
    }

    private static double inFlight(TestEdge of) {
        return of.inFlight() + of.waiting();
    }

    private static String head(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n\r\n";
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
