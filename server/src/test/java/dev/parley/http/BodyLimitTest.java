package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyLimitTest {
    private static final int BIG = 262_144;

    @AutoClose
    private static final TestEdge edge =
            TestEdge.start(routes -> routes.post("/small", 100, Unrated.FREE, call -> Answer.ok(call.body().length))
                    .post(
                            "/own",
                            new BodyLimit(100, "That is too much for us"),
                            Unrated.FREE,
                            call -> Answer.ok(call.body().length))
                    .post("/big", BIG, Unrated.FREE, call -> Answer.ok(Arrays.hashCode(call.body())))
                    .get("/none", Unrated.FREE, call -> Answer.ok(call.body().length)));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 99, 100})
    void bodyUpToTheLimitPasses(int size) throws Exception {
        byte[] body = bytes(size);
        assertThat(edge.post("/small", BodyPublishers.ofByteArray(body)).body()).isEqualTo("" + size);
        assertThat(edge.post("/small", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .body())
                .isEqualTo("" + size);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 20_000, 900_000})
    void bodyOverTheLimitIsRefused(int size) throws Exception {
        byte[] body = bytes(size);
        expectTooLarge(edge.post("/small", BodyPublishers.ofByteArray(body)));
        expectTooLarge(edge.post("/small", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));
    }

    @Test
    void routeMayRefuseWithItsOwnSentence() throws Exception {
        assertThat(edge.post("/own", BodyPublishers.ofByteArray(bytes(100))).body())
                .isEqualTo("100");
        byte[] body = bytes(101);
        for (HttpResponse<String> refused : List.of(
                edge.post("/own", BodyPublishers.ofByteArray(body)),
                edge.post("/own", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))))) {
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.body()).contains("\"message\":\"That is too much for us\"", "\"limit_bytes\":100");
        }
    }

    @Test
    void aBigBodyArrivesWhole() throws Exception {
        byte[] body = bytes(BIG);
        String hash = "" + Arrays.hashCode(body);
        assertThat(edge.post("/big", BodyPublishers.ofByteArray(body)).body()).isEqualTo(hash);
        assertThat(edge.post("/big", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .body())
                .isEqualTo(hash);
        byte[] more = bytes(BIG + 1);
        expectTooLarge(edge.post("/big", BodyPublishers.ofByteArray(more)));
        expectTooLarge(edge.post("/big", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(more))));
    }

    @Test
    void aBodyInManyPiecesArrivesWhole() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/small", "Transfer-Encoding: chunked"));
            for (int i = 0; i < 100; i++) {
                raw.send("1\r\nx\r\n");
            }
            assertThat(raw.send("0\r\n\r\n").response()).endsWith("\r\n\r\n100");
        }
    }

    @Test
    void callerIsAdmittedBeforeTheBodyIsRead() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send("POST /big HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 401 ");
        }
        try (RawClient raw = edge.raw()) {
            raw.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void aDeclaredLengthOverTheLimitIsRefusedBeforeTheBodyIsRead() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/small", "Content-Length: 101"));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void connectionTakesAnotherRequestAfterARefusedBody() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/small", "Content-Length: 500000"));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ");
            raw.send(bytes(500_000)).send(head("/small", "Content-Length: 3") + "abc");
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ").endsWith("3");
        }
    }

    @Test
    void aRefusedBodyThatIsTooLongClosesTheConnectionAfterTheAnswer() throws Exception {
        HttpSettings settings = TestEdge.withDrain(100_000, Duration.ofSeconds(10));
        try (TestEdge small = TestEdge.start(
                        settings, routes -> routes.get("/none", Unrated.FREE, call -> Answer.noContent()));
                RawClient raw = small.raw()) {
            raw.send(head("/nowhere", "Content-Length: 100000000"));
            assertThat(raw.response()).startsWith("HTTP/1.1 404 ");
            raw.send(bytes(99_999));
            raw.send(bytes(2));
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void aRefusedBodyThatDoesNotEndInTimeClosesTheConnection() throws Exception {
        HttpSettings settings = TestEdge.withDrain(100_000, Duration.ofMillis(100));
        try (TestEdge hasty = TestEdge.start(
                        settings, routes -> routes.get("/none", Unrated.FREE, call -> Answer.noContent()));
                RawClient raw = hasty.raw()) {
            raw.send(head("/nowhere", "Content-Length: 1000") + "some");
            assertThat(raw.response()).startsWith("HTTP/1.1 404 ");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void bodyOfARouteWithoutOneIsDropped() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/none", "Content-Length: 5").replace("POST", "GET") + "abcde");
            assertThat(raw.response()).endsWith("\r\n\r\n0");
            raw.send(head("/small", "Content-Length: 2") + "ab");
            assertThat(raw.response()).endsWith("\r\n\r\n2");
        }
    }

    @Test
    void clientThatExpectsContinueGetsIt() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/small", "Content-Length: 3\r\nExpect: 100-continue"));
            assertThat(raw.head()).startsWith("HTTP/1.1 100 ");
            assertThat(raw.send("abc").response()).startsWith("HTTP/1.1 200 ").endsWith("3");
        }
        HttpResponse<String> response = edge.client.send(
                edge.request("/small")
                        .expectContinue(true)
                        .POST(BodyPublishers.ofString("abcd"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("4");
    }

    @Test
    void clientThatExpectsContinueForTooMuchIsRefusedAndClosed() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/small", "Content-Length: 101\r\nExpect: 100-continue"));
            assertThat(raw.response()).startsWith("HTTP/1.1 413 ").containsIgnoringCase("connection: close");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleLeavesNothingBehind() throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(head("/big", "Content-Length: 1000") + "half");
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> edge.registry.get("parley.http.in.flight").gauge().value() == 0);
    }

    private static void expectTooLarge(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(TestEdge.json(response).get("code").stringValue()).isEqualTo("PAYLOAD_TOO_LARGE");
    }

    private static String head(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + headers + "\r\n\r\n";
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) ('a' + i % 23);
        }
        return bytes;
    }
}
