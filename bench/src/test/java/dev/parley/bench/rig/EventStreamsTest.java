package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class EventStreamsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<String> notes = new CopyOnWriteArrayList<>();

    private final EventStreams.Listener listener = new EventStreams.Listener() {
        @Override
        public EventStreams.Scan scan(int stream) {
            return new EventScan(event -> notes.add(stream + " " + event.data()));
        }

        @Override
        public void ended(int stream, IOException why) {
            notes.add(stream + " " + why.getClass().getSimpleName());
        }

        @Override
        public void refused(int stream, int status, String answer) {
            notes.add(stream + " " + status);
        }
    };

    /** A server that answers every request with this text, and then is silent. */
    private static ServerSocket answering(String answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket caller = server.accept();
                    caller.getOutputStream().write(answer.getBytes(UTF_8));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        return server;
    }

    private static InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private static byte[] request() {
        return HttpBytes.get("127.0.0.1", "/", "");
    }

    @Test
    void anAnsweredStreamIsOpenAndItsEventsAreRead() throws IOException, InterruptedException {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\n\r\ndata: hello\n\n");
                EventStreams streams = new EventStreams(listener)) {
            streams.open(1, address(server), request());
            streams.open(2, address(server), request());
            streams.awaitOpen(2, LIMIT);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(notes).containsExactlyInAnyOrder("1 hello", "2 hello"));
        }
    }

    @Test
    void aRefusalIsToldWithItsStatus() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 503 Service Unavailable\r\n\r\n");
                EventStreams streams = new EventStreams(listener)) {
            streams.open(1, address(server), request());
            await().atMost(LIMIT).untilAsserted(() -> assertThat(notes).containsExactly("1 503"));
            assertThat(streams.openCount()).isZero();
        }
    }

    @Test
    void aSilentStreamIsGivenUp() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\n\r\n");
                EventStreams streams = new EventStreams(listener, Duration.ofMillis(300))) {
            streams.open(1, address(server), request());
            await().atMost(LIMIT).untilAsserted(() -> assertThat(notes).containsExactly("1 SocketTimeoutException"));
            assertThat(streams.openCount()).isZero();
        }
    }

    @Test
    void anAddressWithoutAServerEndsTheStream() throws IOException {
        InetSocketAddress vacant;
        try (ServerSocket closed = answering("")) {
            vacant = address(closed);
        }
        try (EventStreams streams = new EventStreams(listener)) {
            streams.open(1, vacant, request());
            await().atMost(LIMIT).untilAsserted(() -> assertThat(notes).containsExactly("1 ConnectException"));
        }
    }
}
