package dev.parley.bench.stream;

import dev.parley.bench.fanout.BareServer;
import dev.parley.bench.rig.CpuTime;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The yardstick: a bare Vert.x server that writes posted frames to the run's viewers, and stores nothing. */
final class DirectPeer implements Peer {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final int port;
    private int generation;

    DirectPeer(Path folder) {
        try {
            process =
                    ChildProcess.java(folder, Map.of(), ServerProcess.JVM_FLAGS, BareServer.class.getName(), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            port = Integer.parseInt(
                    process.awaitLine("listening on ([0-9]+)", START_LIMIT).group(1));
        } catch (RuntimeException | Error failed) {
            process.close();
            throw failed;
        }
    }

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Override
    public byte[] open(int run) {
        return Requests.post(path(run), "", ": opened\n\n");
    }

    @Override
    public byte[] view(int run) {
        return Requests.get(path(run), "");
    }

    /** Frames like those that Parley's viewers get. */
    @Override
    public byte[] post(int run, long first, List<String> tokens) {
        return Requests.post(
                path(run),
                "",
                tokens.stream()
                        .map(token -> "id: " + first + "\nevent: TEXT_MESSAGE_CONTENT\ndata: "
                                + "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"" + token
                                + "\",\"metadata\":{\"runId\":\"" + path(run) + "\"}}\n\n")
                        .collect(Collectors.joining()));
    }

    @Override
    public byte[] end(int run, long first) {
        return Requests.post(path(run), "", ": ended\n\n");
    }

    private String path(int run) {
        return "/run-" + generation + "-" + run;
    }

    @Override
    public void renew() {
        generation++;
    }

    @Override
    public Duration serverCpu() {
        return CpuTime.ofProcess(process.pid());
    }

    @Override
    public Duration databaseCpu() {
        return Duration.ZERO;
    }

    @Override
    public void close() {
        process.close();
    }
}
