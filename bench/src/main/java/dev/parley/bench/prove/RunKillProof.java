package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kills the server again and again while runs are started and watched, on one data folder and at one address. */
final class RunKillProof {
    private static final Duration SERVES_LIMIT = Duration.ofSeconds(60);
    private static final int STARTS_BETWEEN = 4;

    private final Path folder;
    private final RunCrowd.Size size;
    private final long seed;
    private final PrintStream out;

    RunKillProof(Path folder, RunCrowd.Size size, long seed, PrintStream out) {
        this.folder = folder;
        this.size = size;
        this.seed = seed;
        this.out = out;
    }

    /** Kills at least once, and goes on until all runs are started, or so many kills are done. */
    RunFinding run(Duration killEvery, int maxKills) throws IOException, InterruptedException {
        Folders.empty(folder);
        Accounts accounts = new Accounts(1);
        List<Double> unavailable = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        try (Cleanup cleanup = new Cleanup()) {
            ServerProcess server = cleanup.keep(start(accounts));
            FaultProxy network = cleanup.keep(FaultProxy.to(server.uri()));
            RunCrowd crowd =
                    cleanup.keep(new RunCrowd(network.uri(), accounts.users().getFirst(), size, seed));
            crowd.start();
            boolean started = false;
            while (!started && unavailable.size() < maxKills) {
                awaitWork(crowd);
                crowd.awaitStarted(killEvery);
                long killed = System.nanoTime();
                server.kill();
                server = cleanup.keep(start(accounts));
                network.upstream(new InetSocketAddress(
                        server.uri().getHost(), server.uri().getPort()));
                started = crowd.awaitStarted(Duration.ofMillis(1));
                if (!started && !crowd.acknowledgements().awaitStartedAfter(killed, SERVES_LIMIT)) {
                    violations.add("after kill " + (unavailable.size() + 1) + " no run was taken for " + SERVES_LIMIT);
                    break;
                }
                unavailable.add((System.nanoTime() - killed) / 1e9);
                out.printf(
                        "  kill %d, serves again after %.1f s, %d starts acknowledged%n",
                        unavailable.size(),
                        unavailable.getLast(),
                        crowd.acknowledgements().count());
            }
            RunOutcome outcome = crowd.finish(server.uri());
            Files.write(folder.resolve("server-output.txt"), server.output());
            violations.addAll(crowd.incidents().unexpected());
            violations.addAll(crowd.incidents().stuck());
            violations.addAll(outcome.all());
            return new RunFinding(
                    "kill -9",
                    seed,
                    unavailable.size(),
                    outcome.runs(),
                    outcome.states(),
                    outcome.views(),
                    List.copyOf(unavailable),
                    crowd.incidents().answers(),
                    List.copyOf(violations));
        }
    }

    /** A kill that meets no runs proves nothing. */
    private static void awaitWork(RunCrowd crowd) throws InterruptedException {
        long deadline = System.nanoTime() + SERVES_LIMIT.toNanos();
        long before = crowd.acknowledgements().count();
        boolean started = false;
        while (!started
                && crowd.acknowledgements().count() < before + STARTS_BETWEEN
                && System.nanoTime() - deadline < 0) {
            started = crowd.awaitStarted(Duration.ofMillis(20));
        }
    }

    private ServerProcess start(Accounts accounts) {
        return ServerProcess.start(folder, accounts.environment(), List.of("--log-level", "warn"));
    }
}
