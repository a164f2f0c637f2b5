package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi";

    private final LeakCheck leaks = LeakCheck.begin(name -> name.startsWith("fault-proxy"));
    private CountingServer server;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new CountingServer();
        proxy = FaultProxy.to(server.uri());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
        assertThat(proxy.openConnections()).isZero();
        leaks.assertNothingLeft(LIMIT);
    }

    @Test
    void leftAloneItPassesEverythingThrough() throws IOException {
        try (RawHttp client = RawHttp.connect(proxy.uri(), LIMIT)) {
            for (int i = 1; i <= 3; i++) {
                client.send(POST);
                assertThat(client.readAnswer().text()).isEqualTo(Integer.toString(i));
            }
            assertThat(proxy.openConnections()).isOne();
        }
        await().until(() -> proxy.openConnections() == 0);
    }

    @Test
    void aDroppedAnswerWasTakenInByTheUpstream() throws IOException {
        proxy.dropNextAnswers(2);
        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> ask(POST)).isInstanceOf(IOException.class);
            assertThat(server.requests()).isEqualTo(i);
        }
        assertThat(ask(POST)).isEqualTo("3");
        assertThat(proxy.droppedAnswers()).isEqualTo(2);
    }

    @Test
    void onlyTheChosenExchangesOfAConnectionAreDropped() throws IOException {
        proxy.dropNextAnswers(1, line -> line.startsWith("POST "));
        try (RawHttp client = RawHttp.connect(proxy.uri(), LIMIT)) {
            client.send(GET);
            assertThat(client.readAnswer().text()).isEqualTo("1");
            client.send(GET);
            assertThat(client.readAnswer().text()).isEqualTo("2");
            client.send(POST);
            assertThatThrownBy(client::readAnswer).isInstanceOf(IOException.class);
        }
        assertThat(server.requests()).isEqualTo(3);
    }

    @Test
    void theSameSeedDropsTheSameAnswers() throws IOException {
        List<Boolean> first = dropsWithSeed(42);
        assertThat(dropsWithSeed(42)).isEqualTo(first);
        assertThat(first).contains(true, false);
        proxy.keepAnswers();
        assertThat(ask(GET)).isNotEmpty();
    }

    private List<Boolean> dropsWithSeed(long seed) throws IOException {
        proxy.dropAnswers(0.5, seed, line -> true);
        List<Boolean> dropped = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            long before = proxy.droppedAnswers();
            try {
                ask(GET);
            } catch (IOException cut) {
                // The proxy dropped this answer, as planned.
            }
            dropped.add(proxy.droppedAnswers() > before);
        }
        return dropped;
    }

    @Test
    void cuttingEndsOpenConnectionsAndLetsNewOnesIn() throws IOException {
        try (RawHttp client = RawHttp.connect(proxy.uri(), LIMIT)) {
            client.send(GET);
            client.readAnswer();
            proxy.cutAll();
            assertThat(client.peerCloses()).isTrue();
        }
        assertThat(ask(GET)).isEqualTo("2");
    }

    @Test
    void refusingResetsNewConnectionsAndKeepsOldOnes() throws IOException {
        try (RawHttp client = RawHttp.connect(proxy.uri(), LIMIT)) {
            client.send(GET);
            client.readAnswer();
            proxy.refuse(true);
            assertThatThrownBy(() -> ask(GET)).isInstanceOf(IOException.class);
            client.send(GET);
            assertThat(client.readAnswer().text()).isEqualTo("2");
        }
        proxy.refuse(false);
        assertThat(ask(GET)).isEqualTo("3");
    }

    @Test
    void aPauseHoldsEverythingBackWithoutClosing() throws IOException {
        proxy.pause();
        try (RawHttp client = RawHttp.connect(proxy.uri(), Duration.ofMillis(200))) {
            client.send(GET);
            assertThatThrownBy(client::readAnswer).isInstanceOf(SocketTimeoutException.class);
            assertThat(server.requests()).isZero();
            proxy.resume();
            await().untilAsserted(() -> assertThat(client.readAnswer().text()).isEqualTo("1"));
        }
    }

    @Test
    void aDelayIsKeptBothWays() throws IOException {
        proxy.delay(Duration.ofMillis(100));
        long start = System.nanoTime();
        assertThat(ask(GET)).isEqualTo("1");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theUpstreamCanBeChangedAndMayBeDown() throws IOException {
        int free;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = probe.getLocalPort();
        }
        proxy.upstream(new InetSocketAddress(InetAddress.getLoopbackAddress(), free));
        assertThatThrownBy(() -> ask(GET)).isInstanceOf(IOException.class);
        proxy.upstream(server.address());
        assertThat(ask(GET)).isEqualTo("1");
    }

    @Test
    void closingEndsAlsoWhatIsPaused() throws IOException {
        proxy.pause();
        RawHttp client = RawHttp.connect(proxy.uri(), LIMIT);
        client.send(GET);
        await().until(() -> proxy.openConnections() == 1);
        proxy.close();
        assertThat(client.peerCloses()).isTrue();
        client.close();
    }

    private String ask(String request) throws IOException {
        return RawHttp.exchange(proxy.uri(), request.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), LIMIT)
                .text();
    }
}
