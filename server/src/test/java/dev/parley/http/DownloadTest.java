package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DownloadTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String TAG = "\"v1\"";
    private static final String DATE = "Tue, 03 Jun 2008 11:05:30 GMT";
    private static final long ENDLESS = 10_000_000_000L;
    private static final AtomicInteger OPEN = new AtomicInteger();
    private static final AtomicLong READ = new AtomicLong();

    @AutoClose
    private static final TestEdge edge = TestEdge.start(DownloadTest::routes);

    private static void routes(Routes<String> routes) {
        routes.download(
                        "/size/{n}",
                        Unrated.FREE,
                        call -> download(Integer.parseInt(call.path("n")))
                                .modified(Instant.parse("2008-06-03T11:05:30.7Z"))
                                .withHeader("Content-Disposition", "attachment"))
                .openDownload(
                        "/open",
                        call -> download(5)
                                .withHeader("cache-control", "max-age=60")
                                .withHeader("Content-Security-Policy", "sandbox"))
                .download(
                        "/endless",
                        Unrated.FREE,
                        call -> Download.of("a/b", ENDLESS, TAG, (from, length) -> new Zeros()))
                .download(
                        "/short",
                        Unrated.FREE,
                        call -> Download.of("a/b", 200_000, TAG, (from, length) -> some(199_999)))
                .download("/none", Unrated.FREE, call -> Download.of("a/b", 10, TAG, (from, length) -> some(0)))
                .download(
                        "/fails",
                        Unrated.FREE,
                        call -> Download.of("a/b", 10, TAG, (from, length) -> {
                            throw new IOException("The disk is gone.");
                        }))
                .download(
                        "/bad-header",
                        Unrated.FREE,
                        call -> download(100_000).withHeader("Content-Disposition", "attachment\r\nX-Forged: yes"))
                .download("/answer", Unrated.FREE, call -> Answer.ok("plain"));
    }

    private static Download download(int size) {
        return Download.of("text/x-test", size, TAG, (from, length) -> {
            byte[] all = bytes(size);
            return counted(new ByteArrayInputStream(all, (int) from, (int) length));
        });
    }

    private static InputStream some(int size) {
        return counted(new ByteArrayInputStream(new byte[size]));
    }

    private static InputStream counted(InputStream in) {
        OPEN.incrementAndGet();
        return new FilterInputStream(in) {
            @Override
            public void close() throws IOException {
                super.close();
                OPEN.decrementAndGet();
            }
        };
    }

    /** An endless source that counts its bytes. */
    private static final class Zeros extends InputStream {
        Zeros() {
            OPEN.incrementAndGet();
        }

        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            READ.addAndGet(length);
            return length;
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }

    @BeforeEach
    void everySourceIsClosed() {
        await().atMost(SOON).until(() -> OPEN.get() == 0);
        READ.set(0);
    }

    private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = edge.request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return edge.client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 131_072, 3_000_000})
    void downloadArrivesComplete(int size) throws Exception {
        HttpResponse<byte[]> response = get("/size/" + size);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Arrays.equals(response.body(), bytes(size))).isTrue();
        assertThat(header(response, "Content-Length")).isEqualTo("" + size);
        assertThat(header(response, "Content-Type")).isEqualTo("text/x-test");
        assertThat(header(response, "ETag")).isEqualTo(TAG);
        assertThat(header(response, "Last-Modified")).isEqualTo(DATE);
        assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
        assertThat(header(response, "Content-Disposition")).isEqualTo("attachment");
        assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
        await().atMost(SOON).until(() -> OPEN.get() == 0);
    }

    @Test
    void headersOfTheDownloadReplaceTheCommonOnes() throws Exception {
        HttpResponse<byte[]> response = get("/open");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
        assertThat(response.headers().allValues("Content-Security-Policy")).containsExactly("sandbox");
        assertThat(get("/answer").body()).asString().isEqualTo("\"plain\"");
    }

    @Test
    void aConnectionCarriesManyDownloadsEvenAskedForAtOnce() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(request("/size/1000000", "").repeat(3));
            for (int i = 0; i < 3; i++) {
                assertThat(raw.head()).startsWith("HTTP/1.1 200 ");
                assertThat(raw.take(1_000_000)).isEqualTo(1_000_000);
            }
        }
    }

    @Test
    void headRequestGetsTheHeadAlone() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(request("/size/3000000", "Range: bytes=0-1\r\n").replace("GET", "HEAD"));
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ").containsIgnoringCase("content-length: 3000000");
            assertThat(raw.send(request("/answer", "")).response()).endsWith("\r\n\r\n\"plain\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0-0, 0, 0",
        "0-, 0, 199999",
        "5-9, 5, 9",
        "199999-, 199999, 199999",
        "199999-300000, 199999, 199999",
        "150000-99999999999999999999999, 150000, 199999",
        "-1, 199999, 199999",
        "-150000, 50000, 199999",
        "-200000, 0, 199999",
        "-300000, 0, 199999"
    })
    void oneRangeIsServed(String range, int first, int last) throws Exception {
        HttpResponse<byte[]> response = get("/size/200000", "Range", "bytes=" + range);
        assertThat(response.statusCode()).isEqualTo(206);
        assertThat(header(response, "Content-Range")).isEqualTo("bytes " + first + "-" + last + "/200000");
        assertThat(header(response, "Content-Length")).isEqualTo("" + (last - first + 1));
        assertThat(Arrays.equals(response.body(), Arrays.copyOfRange(bytes(200_000), first, last + 1)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"200000-, 200000", "200000-200001, 200000", "-0, 200000", "0-, 0", "0-0, 0"})
    void aRangeBeyondTheEndIsRefused(String range, int size) throws Exception {
        HttpResponse<byte[]> response = get("/size/" + size, "Range", "bytes=" + range);
        assertThat(response.statusCode()).isEqualTo(416);
        assertThat(header(response, "Content-Range")).isEqualTo("bytes */" + size);
        assertThat(response.body()).asString().contains("/problems/range-not-satisfiable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=0-1,4-5", "bytes=9-5", "bytes=-", "bytes=a-b", "lines=1-2", "bytes 0-1", "bytes=--1"})
    void severalOrMalformedRangesGetTheWhole(String range) throws Exception {
        HttpResponse<byte[]> response = get("/size/10", "Range", range);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).hasSize(10);
    }

    @Test
    void lastBytesOfAnEmptyDownloadAreTheWhole() throws Exception {
        assertThat(get("/size/0", "Range", "bytes=-5").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"\"v1\"|206", "\"v2\"|200", "W/\"v1\"|200", DATE + "|206", "Tue, 03 Jun 2008 11:05:31 GMT|200"})
    void rangeOfAnotherVersionIsNotServed(String had, int status) throws Exception {
        assertThat(get("/size/10", "Range", "bytes=0-1", "If-Range", had).statusCode())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"\"v1\"|304", "W/\"v1\"|304", "\"a,b\", \"v1\"|304", "*|304", "\"v2\"|200", "v1|200"})
    void bytesThatTheClientHasAreNotSentAgain(String known, int status) throws Exception {
        HttpResponse<byte[]> response = get("/size/10", "If-None-Match", known, "Range", "bytes=50-");
        assertThat(response.statusCode()).isEqualTo(status == 200 ? 416 : 304);
        HttpResponse<byte[]> whole = get("/size/10", "If-None-Match", known);
        assertThat(whole.statusCode()).isEqualTo(status);
        assertThat(whole.body()).hasSize(status == 200 ? 10 : 0);
        if (status == 304) {
            assertThat(header(whole, "ETag")).isEqualTo(TAG);
        }
    }

    @Test
    void aSlowReaderIsCutAndItsSourceClosed() throws Exception {
        HttpSettings settings = TestEdge.withStreams(SOON, Duration.ofMillis(300), 64 * 1024, 16 * 1024);
        try (TestEdge hasty = TestEdge.start(settings, DownloadTest::routes);
                RawClient raw = new RawClient(hasty.port(), 16 * 1024)) {
            raw.send(request("/endless", ""));
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ");
            await().atMost(SOON).until(() -> OPEN.get() == 0);
            assertThat(READ.get()).isLessThan(2_000_000);
            assertThat(hasty.registry.get("parley.http.downloads.cut").counter().count())
                    .isEqualTo(1);
            await().atMost(SOON).until(() -> inFlight(hasty) == 0);
        }
    }

    @Test
    void aReaderThatNeverTakesTheLastBytesIsCutToo() throws Exception {
        HttpSettings settings = TestEdge.withStreams(SOON, Duration.ofMillis(300), 64 * 1024, 16 * 1024);
        try (TestEdge hasty = TestEdge.start(settings, DownloadTest::routes);
                RawClient raw = new RawClient(hasty.port(), 4 * 1024)) {
            raw.send(request("/size/600000", ""));
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ");
            await().atMost(SOON).until(() -> inFlight(hasty) == 0);
            assertThat(hasty.registry.get("parley.http.downloads.cut").counter().count())
                    .isEqualTo(1);
        }
    }

    @Test
    void aReaderThatLeavesEndsTheReading() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(request("/endless", ""));
            assertThat(raw.take(1_000_000)).isEqualTo(1_000_000);
            assertThat(OPEN.get()).isEqualTo(1);
            assertThat(inFlight(edge)).isEqualTo(1);
        }
        await().atMost(SOON).until(() -> OPEN.get() == 0);
        await().atMost(SOON).until(() -> inFlight(edge) == 0);
    }

    @Test
    void aSourceThatEndsEarlyClosesTheConnection() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(request("/short", ""));
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ").containsIgnoringCase("content-length: 200000");
            assertThat(raw.closedByServer()).isTrue();
        }
        await().atMost(SOON).until(() -> OPEN.get() == 0 && inFlight(edge) == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fails", "/none", "/bad-header"})
    void failureBeforeTheFirstBytesIsAnswered(String path) throws Exception {
        HttpResponse<byte[]> response = get(path);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(header(response, "X-Forged")).isEmpty();
        await().atMost(SOON).until(() -> OPEN.get() == 0 && inFlight(edge) == 0);
    }

    @Test
    void stopCutsDownloadsThatDoNotEndInTime() throws Exception {
        try (TestEdge other = TestEdge.start(DownloadTest::routes);
                RawClient raw = other.raw()) {
            raw.send(request("/endless", ""));
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ");
            other.edge.stop(Duration.ofMillis(200));
            await().atMost(SOON).until(() -> OPEN.get() == 0);
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    private static double inFlight(TestEdge of) {
        return of.inFlight() + of.waiting();
    }

    private static String request(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n";
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
