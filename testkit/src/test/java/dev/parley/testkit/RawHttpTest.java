package dev.parley.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RawHttpTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void bodiesEndByLengthByChunksOrByHangingUp() throws Exception {
        assertThat(answerTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, and more")
                        .text())
                .isEqualTo("hi");
        assertThat(answerTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n3;x=y\r\n yo\r\n0\r\n\r\n")
                        .text())
                .isEqualTo("hi yo");
        assertThat(answerTo("HTTP/1.0 200 OK\r\n\r\nuntil the end").text()).isEqualTo("until the end");
        assertThat(answerTo("HTTP/1.1 204 No Content\r\n\r\n").text()).isEmpty();
    }

    @Test
    void headersAreFoundInAnyCaseAndKeepTheirOrder() throws Exception {
        RawAnswer answer = answerTo("HTTP/1.1 429 Slow\r\nRetry-AFTER: 3\r\nX: 1\r\nx: 2\r\nContent-Length: 0\r\n\r\n");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("retry-after")).contains("3");
        assertThat(answer.headers()).containsEntry("x", List.of("1", "2"));
    }

    @Test
    void incompleteAnswersAreReported() {
        assertThatThrownBy(() -> answerTo("")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> answerTo("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("2 of 9");
        assertThatThrownBy(() -> answerTo("SSH-2.0\r\n\r\n")).hasMessageContaining("Not an HTTP answer");
    }

    @Test
    void anyBytesCanBeSentAndStreamsReadByLine() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RawHttp client = RawHttp.connect(uri(listener), LIMIT);
                Socket server = listener.accept()) {
            client.send("G\u00ffT \0\r\n");
            client.finish();
            assertThat(server.getInputStream().readAllBytes()).isEqualTo("G\u00ffT \0\r\n".getBytes(ISO_8859_1));
            server.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n: hello\n\n".getBytes(ISO_8859_1));
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.readLine()).isEqualTo(": hello");
            assertThat(client.readLine()).isEmpty();
            server.close();
            assertThat(client.peerCloses()).isTrue();
        }
    }

    @Test
    void aServerThatStaysIsNoticed() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RawHttp client = RawHttp.connect(uri(listener), Duration.ofMillis(100));
                Socket server = listener.accept()) {
            assertThat(client.peerCloses()).isFalse();
            assertThat(server.isConnected()).isTrue();
        }
    }

    private static RawAnswer answerTo(String answer) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RawHttp client = RawHttp.connect(uri(listener), LIMIT);
                Socket server = listener.accept()) {
            server.getOutputStream().write(answer.getBytes(ISO_8859_1));
            server.close();
            return client.readAnswer();
        }
    }

    private static URI uri(ServerSocket listener) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }
}
