package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server on one data folder that callers reach through one faulty network. Its address for callers stays the same
 * over all restarts.
 */
final class FrontedServer implements AutoCloseable {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    private final Cleanup cleanup = new Cleanup();
    private final Path folder;
    private final Accounts accounts;
    private final FaultProxy network;
    private final List<Callers> callers;
    private ServerProcess process;

    FrontedServer(Path folder, Accounts accounts) throws IOException {
        this.folder = Folders.empty(folder);
        this.accounts = accounts;
        this.process = cleanup.keep(ServerProcess.alone(folder, accounts));
        this.network = cleanup.keep(FaultProxy.to(process.uri()));
        this.callers = Callers.of(accounts.users(), List.of(network.uri()), ANSWER_LIMIT);
        callers.forEach(cleanup::keep);
    }

    FaultProxy network() {
        return network;
    }

    /** The users' clients, which call through the network. */
    List<Callers> callers() {
        return callers;
    }

    /** The address of the server itself. */
    URI uri() {
        return process.uri();
    }

    boolean isRunning() {
        return process.running();
    }

    /** Kills the server with {@code kill -9}; its PostgreSQL lives on until the server is started again. */
    void kill() {
        process.kill();
    }

    void startAgain() {
        process = cleanup.keep(ServerProcess.alone(folder, accounts));
        network.upstream(process.address());
    }

    /** Kills the server's own PostgreSQL with {@code kill -9}. */
    void killPostgres() throws IOException {
        Path file = folder.resolve("postgres").resolve("cluster").resolve("postmaster.pid");
        long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Saves the output of the last server in the folder. The folder is deleted if the step holds. */
    @Override
    public void close() throws IOException {
        cleanup.close();
        Files.write(folder.resolve("server-output.txt"), process.output());
    }
}
