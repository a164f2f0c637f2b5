package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.ThreadClient;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that two readers could read differently: the first is refused and nothing after it is read. */
class SmugglingTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final UUID OLIVIA = UUID.randomUUID();
    private static RunningServer server;
    private static ThreadClient thread;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        var olivia = server.as(OLIVIA, "Olivia");
        thread = olivia.thread(olivia.createThread(NewThread.EMPTY).threadId());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "Transfer-Encoding: \"chunked\"",
                "Host: elsewhere.example"
            })
    void bytesAfterAnAmbiguousRequestAreNoRequest(String header) throws IOException {
        String hidden = request("", "{\"content\":\"smuggled\"}");
        String outer = request(header + "\r\n", "").replace("Content-Length: 0\r\n", "");
        try (RawHttp http = RawHttp.connect(server.uri(), LIMIT)) {
            http.send((outer + hidden).getBytes(StandardCharsets.ISO_8859_1));
            RawAnswer answer = http.readAnswer();
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.text()).contains("/problems/malformed-request");
            assertThat(http.peerCloses()).isTrue();
        }
        assertThat(thread.view().lastSeq()).isZero();
    }

    @Test
    void aRequestWithoutAHostOrOfAnotherVersionIsRefused() throws IOException {
        for (String head : new String[] {
            "GET /health HTTP/1.1\r\n\r\n",
            "GET /health HTTP/1.2\r\nHost: x\r\n\r\n",
            "GET /health HTTP/9.9\r\nHost: x\r\n\r\n"
        }) {
            assertThat(RawHttp.exchange(server.uri(), head.getBytes(StandardCharsets.ISO_8859_1), LIMIT)
                            .status())
                    .as(head)
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Encoding: gzip", "Content-Type: application/json; charset=iso-8859-1"})
    void bodiesInAnotherCodingAreRefused(String header) throws IOException {
        RawAnswer answer = RawHttp.exchange(
                server.uri(),
                request(header + "\r\n", "{\"content\":\"hi\"}").getBytes(StandardCharsets.ISO_8859_1),
                LIMIT);
        assertThat(answer.status()).isEqualTo(415);
    }

    private static String request(String headers, String body) {
        return "POST /api/v1/chat/threads/" + thread.id() + "/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + server.token(OLIVIA, "Olivia") + "\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
    }
}
