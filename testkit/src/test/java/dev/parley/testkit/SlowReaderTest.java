package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void aServerFillsUpSoonAndItsHangingUpIsNoticed() throws IOException {
        try (ServerSocketChannel listener = listen();
                SlowReader reader = SlowReader.open(uri(listener), Map.of("Authorization", "Bearer t"));
                SocketChannel server = listener.accept()) {
            assertThat(readRequest(server))
                    .startsWith("GET /stream?after_seq=0 HTTP/1.1\r\n")
                    .contains("\r\nAuthorization: Bearer t\r\n")
                    .endsWith("\r\n\r\n");
            server.setOption(StandardSocketOptions.SO_SNDBUF, 8 * 1024);
            server.configureBlocking(false);
            assertThat(fill(server)).isLessThan(256 * 1024);
            assertThat(reader.peerClosedWithin(Duration.ofMillis(200))).isFalse();
            server.close();
            assertThat(reader.peerClosedWithin(LIMIT)).isTrue();
        }
    }

    @Test
    void drainReadsAfterAll() throws IOException {
        try (ServerSocketChannel listener = listen();
                SlowReader reader = SlowReader.open(uri(listener), Map.of());
                SocketChannel server = listener.accept()) {
            readRequest(server);
            server.write(StandardCharsets.UTF_8.encode("HTTP/1.1 200 OK\r\n\r\n: hello\n\n"));
            server.close();
            assertThat(reader.drain(LIMIT)).isEqualTo("HTTP/1.1 200 OK\r\n\r\n: hello\n\n");
        }
    }

    /** Writes until the connection takes no more. */
    private static long fill(SocketChannel server) throws IOException {
        long total = 0;
        for (int refusals = 0; refusals < 1000; ) {
            int written = server.write(ByteBuffer.allocate(4 * 1024));
            total += written;
            refusals = written == 0 ? refusals + 1 : 0;
        }
        return total;
    }

    private static String readRequest(SocketChannel server) throws IOException {
        StringBuilder request = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1024);
        while (!request.toString().contains("\r\n\r\n")) {
            assertThat(server.read(buffer)).isPositive();
            buffer.flip();
            request.append(StandardCharsets.ISO_8859_1.decode(buffer));
            buffer.clear();
        }
        return request.toString();
    }

    private static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static URI uri(ServerSocketChannel listener) throws IOException {
        int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        return URI.create("http://127.0.0.1:" + port + "/stream?after_seq=0");
    }
}
