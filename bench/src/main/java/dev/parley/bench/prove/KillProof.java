package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kills the server, its PostgreSQL or both under load, again and again on one data folder. A killed server is started
 * again; a killed PostgreSQL is the server's own to bring back.
 */
final class KillProof {
    /** Who is killed. */
    enum Victim {
        SERVER,
        POSTGRES,
        BOTH
    }

    private static final List<Victim> VICTIMS = List.of(Victim.values());
    private static final Duration SERVES_LIMIT = Duration.ofSeconds(60);
    private static final int MESSAGES_BETWEEN = 100;
    private static final int MAX_LOAD_MILLIS = 2_000;

    private final Path folder;
    private final Crowd.Size size;
    private final int threads;
    private final long seed;
    private final PrintStream out;

    KillProof(Path folder, Crowd.Size size, int threads, long seed, PrintStream out) {
        this.folder = folder;
        this.size = size;
        this.threads = threads;
        this.seed = seed;
        this.out = out;
    }

    /** Goes on until so many kills are done, or so much time is over. */
    Finding run(int cycles, Duration limit) throws IOException, InterruptedException {
        Folders.empty(folder);
        Accounts accounts = new Accounts(size.users());
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> unavailable = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        long end = System.nanoTime() + limit.toNanos();
        try (Cleanup cleanup = new Cleanup()) {
            ServerProcess server = cleanup.keep(start(accounts));
            List<ThreadId> made = accounts.makeThreads(server.uri(), threads);
            FaultProxy network = cleanup.keep(FaultProxy.to(server.uri()));
            Crowd crowd = cleanup.keep(new Crowd(network.uri(), accounts.users(), made, size, seed));
            crowd.start();
            for (int cycle = 0; cycle < cycles && System.nanoTime() - end < 0; cycle++) {
                Victim victim = VICTIMS.get(cycle % VICTIMS.size());
                long before = crowd.acknowledgements().count();
                if (!crowd.acknowledgements().awaitCount(before + MESSAGES_BETWEEN, SERVES_LIMIT)) {
                    violations.add("before kill " + (cycle + 1) + " nothing was taken in for " + SERVES_LIMIT);
                    break;
                }
                Thread.sleep(random.nextInt(MAX_LOAD_MILLIS));
                long killed = System.nanoTime();
                kill(victim, server);
                if (victim != Victim.POSTGRES) {
                    server = cleanup.keep(start(accounts));
                    network.upstream(address(server));
                }
                if (!crowd.acknowledgements().awaitStartedAfter(killed, SERVES_LIMIT)) {
                    violations.add(
                            "after kill " + (cycle + 1) + " (" + victim + ") nothing was taken in for " + SERVES_LIMIT);
                    break;
                }
                double seconds = (System.nanoTime() - killed) / 1e9;
                unavailable.add(seconds);
                out.printf("  kill %d of %-8s serves again after %.1f s%n", cycle + 1, victim, seconds);
                if (!server.running()) {
                    violations.add("the server ended by itself after kill " + (cycle + 1) + " (" + victim + ")");
                    break;
                }
            }
            Verdict verdict = crowd.finish(server.uri());
            // Deleted with the folder if the step holds.
            Files.write(folder.resolve("server-output.txt"), server.output());
            return Finding.of("kill -9", seed, verdict, crowd.incidents(), unavailable, violations);
        }
    }

    private ServerProcess start(Accounts accounts) {
        return ServerProcess.start(folder, accounts.environment(), List.of("--log-level", "warn"));
    }

    private static InetSocketAddress address(ServerProcess server) {
        return new InetSocketAddress(server.uri().getHost(), server.uri().getPort());
    }

    private void kill(Victim victim, ServerProcess server) throws IOException {
        switch (victim) {
            case SERVER -> server.kill();
            case POSTGRES -> killPostgres();
            case BOTH -> {
                killPostgres();
                server.kill();
            }
        }
    }

    private void killPostgres() throws IOException {
        Path file = folder.resolve("postgres").resolve("cluster").resolve("postmaster.pid");
        long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
