package dev.parley.api.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the storage client never sends: hostile files, headers, ranges, races, spent URLs. */
class StorageFaceTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private StorageCaller caller;

    @BeforeEach
    void newCaller() {
        caller = StorageCaller.of(server);
    }

    static Stream<SampleImages.Hostile> hostile() {
        return SampleImages.hostile().stream();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void imageOfAnotherTypeThanDeclaredIsRefused(SampleImages.Hostile file) {
        RawAnswer refused = caller.put("a.png", file.declaredType(), file.bytes());

        assertThat(refused.status()).as(refused.text()).isEqualTo(415);
        assertThat(caller.get("a.png").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void unknownTypeIsStoredAndOnlyDownloaded(SampleImages.Hostile file) {
        assertThat(caller.put("a.png", "application/x-unknown", file.bytes()).status())
                .isEqualTo(200);

        RawAnswer served = caller.get("a.png");

        assertThat(served.body()).isEqualTo(file.bytes());
        assertThat(served.header("Content-Type")).contains("application/x-unknown");
        assertSafe(served, "attachment; filename=\"a.png\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "image/svg+xml",
                "text/html",
                "text/html;charset=utf-8",
                "application/xhtml+xml",
                "application/pdf"
            })
    void activeContentIsServedSafely(String type) {
        byte[] script = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(caller.put("page", type, script).status()).isEqualTo(200);

        for (RawAnswer served : List.of(caller.get("page"), caller.open("GET", caller.signed("page", 60), ""))) {
            assertThat(served.status()).isEqualTo(200);
            assertThat(served.header("Content-Type")).contains(type);
            assertSafe(served, "attachment; filename=\"page\"");
        }
    }

    private static void assertSafe(RawAnswer served, String disposition) {
        assertThat(served.header("Content-Disposition").orElse("")).startsWith(disposition);
        assertThat(served.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(served.header("Content-Security-Policy"))
                .contains("default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'");
        assertThat(served.header("Cross-Origin-Resource-Policy")).contains("cross-origin");
        assertThat(served.header("Cache-Control")).contains("private, no-cache");
    }

    @Test
    void imagesAreShownInlineUnlessDownloadIsAsked() {
        byte[] png = SampleImages.png(3, 2);
        assertThat(caller.put("cat.png", "application/octet-stream", png).status())
                .isEqualTo(200);

        assertThat(caller.get("cat.png").header("Content-Type")).contains("image/png");
        assertSafe(caller.get("cat.png"), "inline; filename=\"cat.png\"; filename*=UTF-8''cat.png");
        assertSafe(caller.get("cat.png?download"), "attachment; filename=\"cat.png\"");
        assertSafe(caller.get("cat.png?download="), "attachment; filename=\"cat.png\"");
        assertSafe(caller.get("cat.png?download=dog.png"), "attachment; filename=\"dog.png\"");
    }

    @Test
    void imagePixelsAreLimited() {
        assertThat(caller.put("a.png", "image/png", SampleImages.pngClaiming(30_000, 30_000))
                        .status())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({
        "%22;x=%22, '_;x=_', %22%3Bx%3D%22",
        "%0d%0aX-Evil:%201, '_X-Evil_ 1', _X-Evil_%201",
        "..%2F..%2Fpasswd, '.._.._passwd', .._.._passwd",
        "%E2%80%AEgnp.exe, '_gnp.exe', _gnp.exe",
        "%00, '_', _",
        "%E4%B8%AD.txt, '_.txt', %E4%B8%AD.txt"
    })
    void hostileNameStaysInsideItsHeader(String given, String ascii, String encoded) {
        caller.keep("a.txt", "a");

        RawAnswer served = caller.get("a.txt?download=" + given);

        if (given.equals("%00")) {
            assertThat(served.status()).isEqualTo(400);
            return;
        }
        assertThat(served.header("X-Evil")).isEmpty();
        assertThat(served.header("Content-Disposition"))
                .contains("attachment; filename=\"" + ascii.replace(";", "_").replace("=", "_")
                        + "\"; filename*=UTF-8''" + encoded);
    }

    @Test
    void rangesAndConditionalRequestsAreAnswered() throws IOException {
        caller.keep("digits", "0123456789");
        String etag = caller.get("digits").header("ETag").orElseThrow();

        RawAnswer part = caller.get("digits", "Range: bytes=2-4");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).contains("bytes 2-4/10");
        assertThat(caller.get("digits", "Range: bytes=-3").text()).isEqualTo("789");
        RawAnswer beyond = caller.get("digits", "Range: bytes=10-");
        assertThat(beyond.status()).isEqualTo(416);
        assertThat(StorageCaller.json(beyond).get("statusCode").asString()).isEqualTo("416");
        assertThat(etag).matches("\"[0-9a-f]{32}\"");
        assertThat(caller.get("digits", "If-None-Match: " + etag).status()).isEqualTo(304);
        RawAnswer head = caller.head("digits");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).contains("10");
        assertThat(head.header("ETag")).contains(etag);
        assertThat(head.header("Last-Modified")).isPresent();
        assertThat(caller.head("nothing").status()).isEqualTo(404);
    }

    @Test
    void concurrentUploadsToOneName_oneIsStored() throws Exception {
        try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                StorageCaller fresh = StorageCaller.of(server);
                CyclicBarrier start = new CyclicBarrier(2);
                List<Future<RawAnswer>> uploads = Stream.of("one", "two")
                        .map(text -> both.submit(() -> {
                            start.await(20, TimeUnit.SECONDS);
                            return fresh.put("same", "text/plain", text.getBytes(StandardCharsets.UTF_8));
                        }))
                        .toList();
                RawAnswer first = uploads.getFirst().get(20, TimeUnit.SECONDS);
                RawAnswer second = uploads.getLast().get(20, TimeUnit.SECONDS);

                assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 409);
                assertThat(fresh.get("same").text()).isEqualTo(first.status() == 200 ? "one" : "two");
                assertThat(server.count("select objects from storage_usage where owner = 'user:"
                                + fresh.folder().substring("agent-inputs/".length()) + "'"))
                        .isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, copy, POST",
        "DELETE, move, POST",
        "GET, copy, POST",
        "GET, list/agent-files, POST",
        "PUT, sign/agent-files/a.txt, 'GET, HEAD, POST'"
    })
    void pathHasOnlyItsDescribedMethods(String method, String path, String methods) {
        RawAnswer refused = caller.send(method, StorageCaller.OBJECT + path, new byte[0]);

        assertThat(refused.status()).as(refused.text()).isEqualTo(405);
        assertThat(refused.header("Allow")).contains(methods);
    }

    @Test
    void moveNeverReplacesAnObject() {
        caller.keep("a", "a");
        caller.keep("b", "b");

        assertThat(caller.post(StorageCaller.OBJECT + "move", caller.way("a", "b"))
                        .status())
                .isEqualTo(409);
        assertThat(caller.get("b").text()).isEqualTo("b");
        assertThat(caller.get("a").text()).isEqualTo("a");
    }

    @Test
    void signedUrlOpensOneObjectForReadingOnly() {
        caller.keep("a", "a");
        caller.keep("b", "b");
        String url = caller.signed("a", 60);
        String token = url.substring(url.indexOf('?'));

        assertThat(caller.open("GET", url, "").text()).isEqualTo("a");
        assertThat(caller.open("GET", url.replace("/a?", "/b?"), "").status()).isEqualTo(404);
        assertThat(caller.open("GET", url.substring(0, url.length() - 2), "").status())
                .isEqualTo(404);
        assertThat(caller.open("GET", url.substring(0, url.indexOf('?')), "").status())
                .isEqualTo(404);
        assertThat(caller.open("GET", caller.at("a") + token, "").status()).isEqualTo(401);
        assertThat(caller.open("PUT", caller.at("a").replace("/object/", "/object/upload/sign/") + token, "x")
                        .status())
                .isEqualTo(404);
        assertThat(caller.open("GET", caller.uploadUrl("a", true).replace("/upload/", "/"), "")
                        .status())
                .isEqualTo(404);
        caller.remove("a");
        assertThat(caller.open("GET", url, "").status()).isEqualTo(404);
    }

    @Test
    void uploadUrlIsValidForItsPathAndOnceUnlessItMayReplace() {
        String once = caller.uploadUrl("a", false);

        assertThat(caller.open("PUT", once.replace("/a?", "/b?"), "x").status()).isEqualTo(404);
        assertThat(caller.open("PUT", once, "first").status()).isEqualTo(200);
        assertThat(caller.open("PUT", once, "second").status()).isEqualTo(409);
        assertThat(caller.get("a").text()).isEqualTo("first");
        assertThat(caller.open("PUT", caller.uploadUrl("a", true), "third").status())
                .isEqualTo(200);
        assertThat(caller.get("a").text()).isEqualTo("third");
    }

    @Test
    void urlsExpire() {
        TestClock clock = TestClock.at(Instant.now().truncatedTo(ChronoUnit.SECONDS));
        try (RunningServer timed = RunningServer.start(clock)) {
            caller = StorageCaller.of(timed);
            caller.keep("a", "a");
            String read = caller.signed("a", 60);
            String write = caller.uploadUrl("b", true);

            clock.advance(Duration.ofSeconds(59));
            assertThat(caller.open("GET", read, "").status()).isEqualTo(200);
            clock.advance(Duration.ofSeconds(1));
            assertThat(caller.open("GET", read, "").status()).isEqualTo(404);
            clock.advance(Duration.ofHours(2).minusSeconds(61));
            assertThat(caller.open("PUT", write, "b").status()).isEqualTo(200);
            clock.advance(Duration.ofSeconds(1));
            assertThat(caller.open("PUT", write, "b").status()).isEqualTo(404);
        }
    }

    @Test
    void tokensAreNeverLogged() {
        caller.keep("a", "a");
        String url = caller.signed("a", 60);
        String upload = caller.uploadUrl("b", false);
        try (CapturedLog log = new CapturedLog("ROOT")) {
            assertThat(caller.open("GET", url, "").status()).isEqualTo(200);
            assertThat(caller.open("GET", url.replace("/a?", "/c?"), "").status())
                    .isEqualTo(404);
            assertThat(caller.open("PUT", upload, "b").status()).isEqualTo(200);

            assertThat(log.lines()).anyMatch(line -> line.contains("/storage/v1/object/sign/"));
            assertThat(log.lines()).noneMatch(line -> line.contains("token=") || line.contains("eyJ"));
        }
    }

    @Test
    void formsWithoutAFileOrWithTwoAreRefused() {
        String file = "--b\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\nx\r\n";
        String field = "--b\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n60\r\n";
        for (String form : List.of(field + "--b--\r\n", file + file + "--b--\r\n", "nonsense")) {
            RawAnswer refused =
                    caller.put("f", "multipart/form-data; boundary=b", form.getBytes(StandardCharsets.UTF_8));
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        }
        assertThat(caller.put(
                                "f",
                                "multipart/form-data; boundary=b",
                                (file + field + "--b--\r\n").getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(200);
    }
}
