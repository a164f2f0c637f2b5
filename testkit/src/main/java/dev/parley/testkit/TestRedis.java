package dev.parley.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A real Redis server in a process of its own, on a loopback port, without data on disk. A test can kill it, start it
 * again on the same port, pause it and empty it. {@link #close} ends the process.
 */
public final class TestRedis implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 5;

    private final List<String> flags;
    private final boolean tls;
    private final int port;
    private final Thread lastCall = new Thread(this::end, "test-redis-stop");
    private volatile ChildProcess process;

    private TestRedis(boolean tls, int port, List<String> flags) throws IOException {
        this.flags = flags;
        this.tls = tls;
        this.port = port;
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(lastCall);
    }

    /** Starts a server with further directives for its command line, such as {@code --requirepass secret}. */
    public static TestRedis start(String... flags) {
        return start(false, List.of(flags));
    }

    /** Starts a server that speaks only TLS with this certificate. Clients need no certificate. */
    public static TestRedis startWithTls(TestCertificate certificate) {
        return start(
                true,
                List.of(
                        "--tls-cert-file",
                        certificate.chain().toString(),
                        "--tls-key-file",
                        certificate.key().toString(),
                        "--tls-ca-cert-file",
                        certificate.chain().toString(),
                        "--tls-auth-clients",
                        "no"));
    }

    /** Tries another port if another process takes the port before the server binds it. */
    private static TestRedis start(boolean tls, List<String> flags) {
        for (int attempt = 1; ; attempt++) {
            try {
                return new TestRedis(tls, freePort(), flags);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (AssertionError taken) {
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private ChildProcess launch() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "test-redis").toAbsolutePath());
        List<String> command = new ArrayList<>(List.of(
                program(folder).toString(),
                tls ? "--tls-port" : "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no"));
        if (tls) {
            command.addAll(List.of("--port", "0"));
        }
        command.addAll(flags);
        ChildProcess started = ChildProcess.start(folder, Map.of(), command);
        try {
            // This wait also ends when the process ends.
            started.awaitLine("Ready to accept connections", LIMIT);
            return started;
        } catch (AssertionError failed) {
            started.close();
            throw failed;
        }
    }

    /** The program for this machine, unpacked once for all users of this folder. */
    private static Path program(Path folder) throws IOException {
        String name = nameOfProgram();
        Path program = folder.resolve(name);
        if (!Files.exists(program)) {
            Path unpacked = Files.createTempFile(folder, "unpacking", ".tmp");
            try (InputStream content = TestRedis.class.getClassLoader().getResourceAsStream(name)) {
                if (content == null) {
                    throw new IOException("The archive of Redis programs has no " + name);
                }
                Files.copy(content, unpacked, StandardCopyOption.REPLACE_EXISTING);
            }
            if (!unpacked.toFile().setExecutable(true)) {
                throw new IOException(unpacked + " cannot be made a program");
            }
            Files.move(unpacked, program, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return program;
    }

    private static String nameOfProgram() {
        boolean arm = List.of("aarch64", "arm64").contains(System.getProperty("os.arch"));
        if (System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")) {
            return arm ? "redis-server-6.2.6-v5-darwin-arm64" : "redis-server-6.2.6-v5-darwin-amd64";
        }
        return arm ? "redis-server-6.2.7-linux-arm64" : "redis-server-6.2.6-v5-linux-amd64";
    }

    public int port() {
        return port;
    }

    /** The address, without user and password. */
    public URI uri() {
        return URI.create((tls ? "rediss" : "redis") + "://127.0.0.1:" + port);
    }

    public long pid() {
        return process.pid();
    }

    /** Kills the process without warning. */
    public synchronized void kill() {
        end();
    }

    /** Starts the server again on the same port, after a kill or in place of the running process. */
    public synchronized void restart() {
        end();
        try {
            process = launch();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Pauses the process: connections stay open without answers. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            process.signal(name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes all data; only for a server without password and TLS. */
    public void flush() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write("FLUSHALL\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(3), StandardCharsets.US_ASCII);
            if (!answer.equals("+OK")) {
                throw new IOException("Redis answered " + answer + "…");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void end() {
        process.close();
    }

    @Override
    public synchronized void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(lastCall);
        } catch (IllegalStateException ending) {
            // The JVM is ending, so the shutdown hook cannot be removed. It finds no process to end.
        }
    }
}
