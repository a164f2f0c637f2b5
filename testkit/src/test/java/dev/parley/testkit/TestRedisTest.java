package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRedisTest {
    @Test
    void restartAfterAKillIsEmptyAndOnTheSamePort() throws Exception {
        try (TestRedis redis = TestRedis.start()) {
            assertThat(ask(redis, "SET greeting hello")).isEqualTo("+OK");
            redis.kill();
            assertThatThrownBy(() -> ask(redis, "PING")).isInstanceOf(IOException.class);
            int port = redis.port();
            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(ask(redis, "GET greeting")).isEqualTo("$-1");
        }
    }

    @Test
    void pausedServerGoesOnWhenResumed() throws Exception {
        try (TestRedis redis = TestRedis.start()) {
            redis.pause();
            assertThatThrownBy(() -> ask(redis, "PING")).isInstanceOf(SocketTimeoutException.class);
            redis.resume();
            assertThat(ask(redis, "PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void flushRemovesEverything() throws Exception {
        try (TestRedis redis = TestRedis.start()) {
            assertThat(ask(redis, "SET greeting hello")).isEqualTo("+OK");
            redis.flush();
            assertThat(ask(redis, "GET greeting")).isEqualTo("$-1");
        }
    }

    @Test
    void configuredPasswordIsRequired() throws Exception {
        try (TestRedis redis = TestRedis.start("--requirepass", "open sesame")) {
            assertThat(ask(redis, "PING")).startsWith("-NOAUTH");
        }
    }

    @Test
    void tlsUsesTheTestsOwnCertificate(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        try (TestRedis redis = TestRedis.startWithTls(certificate);
                Socket socket =
                        trusting(certificate.chain()).getSocketFactory().createSocket("127.0.0.1", redis.port())) {
            assertThat(redis.uri().getScheme()).isEqualTo("rediss");
            assertThat(ask(socket, "PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void closingEndsTheProcess() {
        TestRedis redis = TestRedis.start();
        ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
        redis.close();
        assertThat(process.isAlive()).isFalse();
    }

    private static SSLContext trusting(Path chain) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (var content = Files.newInputStream(chain)) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(content));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static String ask(TestRedis redis, String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            return ask(socket, command);
        }
    }

    /** The first line of the answer. */
    private static String ask(Socket socket, String command) throws IOException {
        socket.setSoTimeout(3_000);
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        StringBuilder line = new StringBuilder();
        int next = socket.getInputStream().read();
        while (next >= 0 && next != '\r') {
            line.append((char) next);
            next = socket.getInputStream().read();
        }
        return line.toString();
    }
}
