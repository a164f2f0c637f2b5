package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testkit.SlowReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadHeadTest {
    private static final String AUTHORIZED = "Host: x\r\nAuthorization: Bearer good\r\n";
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(20);

    @AutoClose
    private static final TestEdge edge = TestEdge.start(BadHeadTest::table);

    private static void table(Routes<String> routes) {
        routes
                .get(
                        "/a",
                        Unrated.FREE,
                        call -> Answer.ok(call.header("X-Long").orElse("-").length()))
                .get("/big", Unrated.FREE, call -> Answer.ok("x".repeat(8 * 1024 * 1024)))
                .post("/a", 1000, Unrated.FREE, call -> Answer.ok(call.body().length))
                .stream("/s", Unrated.FREE, call -> (StreamSource) connection -> {});
    }

    @Test
    void headersUpToTheLimitPassAndMoreIs431() throws Exception {
        assertThat(respondTo("GET /a HTTP/1.1\r\n" + AUTHORIZED + "X-Long: " + "x".repeat(3900) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("3900");
        assertThat(respondTo("GET /a HTTP/1.1\r\n" + AUTHORIZED + "X-Long: " + "x".repeat(4100) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ")
                .contains("/problems/headers-too-large");
        assertThat(respondTo("GET /" + "a".repeat(4100) + " HTTP/1.1\r\n" + AUTHORIZED + "\r\n"))
                .startsWith("HTTP/1.1 431 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GARBAGE\r\n\r\n",
                "GET /a\r\n\r\n",
                "GET /a HTTP/1.1\r\nNo colon\r\n\r\n",
                "GET /a HTTP/1.1\r\nBad name: x\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nX-A: a\r\n\tb\r\n\r\n",
                "GET /a HTTP/1.1\r\n Host: x\r\n\r\n",
                "GET /a HTTP/1.1\nHost: x\nX-A: a\n b\n\n",
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nAuthorization: Bearer bob\r\n\r\n",
            })
    void malformedHeadIs400AndCloses(String head) throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head);
            assertThat(raw.response()).startsWith("HTTP/1.1 400 ").contains("/problems/malformed-request");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void aFoldedHeaderIsFoundInPiecesAndAfterOtherRequests() throws Exception {
        try (RawClient raw = edge.raw()) {
            // Spaces at the start of a body's lines are no folds.
            raw.send("POST /a HTTP/1.1\r\n" + AUTHORIZED + "Content-Length: 12\r\n\r\nab\r\n cd\r\n\te\n"
                    + "GET /a HTTP/1.1\r\n" + AUTHORIZED + "\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
            raw.send("GET /a HTTP/1.1\r\nHost: x\r\nX-A: a\r\n");
            raw.send(" b\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void aHeadThatComesByteByByteIsRead() throws Exception {
        try (RawClient raw = edge.raw()) {
            for (byte b : ("GET /a HTTP/1.1\r\n" + AUTHORIZED + "\r\n").getBytes(StandardCharsets.UTF_8)) {
                raw.send(new byte[] {b});
            }
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aConnectionThatSendsNothingIsClosed() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(SHORT, LONG, LONG), BadHeadTest::table);
                RawClient raw = hasty.raw()) {
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void slowHeadIsClosedThoughItNeverStops() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(SHORT, LONG, LONG), BadHeadTest::table);
                RawClient raw = hasty.raw()) {
            raw.send("GET /a HTTP/1.1\r\n" + AUTHORIZED + "\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
            raw.send("GET /a HTTP/1.1\r\nX-A: ");
            await().atMost(LONG).pollInterval(Duration.ofMillis(30)).until(() -> !drips(raw));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\nab\r\n0\r\n\r\n", "-1\r\n", "2\r\nabc\r\n0\r\n\r\n"})
    void bodyInMalformedChunks_isRefused(String body) throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send("POST /a HTTP/1.1\r\n" + AUTHORIZED + "Transfer-Encoding: chunked\r\n\r\n" + body);
            assertThat(raw.response()).startsWith("HTTP/1.1 400 ").contains("/problems/malformed-request");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void bodyWithTooManyTrailers_isRefused() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send("POST /a HTTP/1.1\r\n" + AUTHORIZED + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
                    + "X-A: b\r\n".repeat(20_000));
            assertThat(raw.response()).startsWith("HTTP/1.1 431 ").contains("/problems/headers-too-large");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void bodyThatStops_isAnsweredAfterItsTime() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(LONG, SHORT, LONG), BadHeadTest::table);
                RawClient raw = hasty.raw()) {
            raw.send("POST /a HTTP/1.1\r\n" + AUTHORIZED + "Content-Length: 900\r\n\r\nab");
            assertThat(raw.response()).startsWith("HTTP/1.1 408 ").contains("/problems/body-timeout");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void slowBodyIsClosed() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(LONG, SHORT, LONG), BadHeadTest::table);
                RawClient raw = hasty.raw()) {
            raw.send("POST /a HTTP/1.1\r\n" + AUTHORIZED + "Content-Length: 900\r\n\r\n");
            await().atMost(LONG).pollInterval(Duration.ofMillis(30)).until(() -> !drips(raw));
            await().atMost(LONG)
                    .until(() ->
                            hasty.registry.get("parley.http.in.flight").gauge().value() == 0);
        }
    }

    @Test
    void aConnectionWithoutAnotherRequestIsClosedButAStreamIsNot() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(LONG, LONG, SHORT), BadHeadTest::table);
                RawClient stream = hasty.raw();
                RawClient raw = hasty.raw()) {
            stream.send("GET /s HTTP/1.1\r\n" + AUTHORIZED + "\r\n");
            assertThat(stream.head()).startsWith("HTTP/1.1 200 ");
            raw.send("GET /a HTTP/1.1\r\n" + AUTHORIZED + "\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ");
            assertThat(raw.closedByServer()).isTrue();
            assertThat(hasty.registry.get("parley.sse.open").gauge().value()).isEqualTo(1);
        }
    }

    @Test
    void clientThatNeverReadsItsAnswerIsCut() throws Exception {
        try (TestEdge hasty = TestEdge.start(TestEdge.withTimeouts(SHORT, LONG, SHORT), BadHeadTest::table);
                SlowReader reader = SlowReader.open(
                        URI.create("http://127.0.0.1:" + hasty.port() + "/big"),
                        Map.of("Authorization", "Bearer good"))) {
            assertThat(reader.peerClosedWithin(LONG)).isTrue();
        }
    }

    private static boolean drips(RawClient raw) {
        try {
            raw.send("x");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String respondTo(String request) throws IOException {
        try (RawClient raw = edge.raw()) {
            return raw.send(request).response();
        }
    }
}
