package dev.parley.app;

import dev.parley.sdk.Parley;
import dev.parley.testkit.ChildProcess;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server in its own process with the embedded PostgreSQL, so that both can be killed. */
final class ServerProcess implements AutoCloseable {
    static final Duration START = Duration.ofSeconds(90);
    /** The promised time for a stop after SIGTERM. */
    static final Duration STOP = Duration.ofSeconds(30);

    private final Path data;
    private final ChildProcess process;
    private final URI uri;
    private final Parley client;

    private ServerProcess(Path data, ChildProcess process, URI uri) {
        this.data = data;
        this.process = process;
        this.uri = uri;
        this.client = Parley.connect(uri);
    }

    static ServerProcess start(Path data, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
        arguments.addAll(List.of(flags));
        ChildProcess process =
                ChildProcess.java(data, Map.of(), CommandRun.JVM, Main.class.getName(), List.copyOf(arguments));
        try {
            String url = process.awaitLine("^Parley is listening on (http://127\\.0\\.0\\.1:\\d+)$", START)
                    .group(1);
            return new ServerProcess(data, process, URI.create(url));
        } catch (Throwable e) {
            process.close();
            throw e;
        }
    }

    URI uri() {
        return uri;
    }

    /** A client as the local user. */
    Parley client() {
        return client;
    }

    List<String> output() {
        return process.output();
    }

    RawAnswer get(String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n\r\n";
        return RawHttp.exchange(uri, request.getBytes(StandardCharsets.UTF_8), STOP);
    }

    ProcessHandle postgres() throws IOException {
        Path file = data.resolve("postgres/cluster/postmaster.pid");
        long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
        return ProcessHandle.of(pid).orElseThrow();
    }

    void signal(String name) throws IOException, InterruptedException {
        process.signal(name);
    }

    int awaitExit() throws InterruptedException {
        return process.awaitExit(STOP);
    }

    void killNow() throws IOException, InterruptedException {
        process.killNow();
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }
}
