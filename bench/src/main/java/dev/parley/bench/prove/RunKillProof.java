package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Deadline;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kills the server again and again while runs are started and watched, on one data folder and at one address. */
record RunKillProof(Path folder, RunCrowd.Size size, long seed, PrintStream out) {
    private static final Duration SERVES_LIMIT = Duration.ofSeconds(60);
    private static final int STARTS_BETWEEN = 4;

    /** Kills at least once, and goes on until all runs are started or the limit of kills is reached. */
    RunFinding run(Duration killEvery, int maxKills) throws IOException, InterruptedException {
        List<Double> unavailable = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        try (FrontedServer server = new FrontedServer(folder, new Accounts(1));
                RunCrowd crowd = new RunCrowd(
                        server.callers().getFirst(), size, new Acknowledgements(), new Incidents(), seed)) {
            crowd.start();
            boolean started = false;
            while (!started && unavailable.size() < maxKills) {
                awaitWork(crowd);
                crowd.awaitStarted(killEvery);
                long killed = System.nanoTime();
                server.kill();
                server.startAgain();
                started = crowd.awaitStarted(Duration.ofMillis(1));
                if (!started && !crowd.acknowledgements().awaitStartedAfter(killed, SERVES_LIMIT)) {
                    violations.add(
                            "no run was accepted for " + SERVES_LIMIT + " after kill " + (unavailable.size() + 1));
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

    /** Waits until the crowd has started more runs, because a kill without runs under way proves nothing. */
    private static void awaitWork(RunCrowd crowd) throws InterruptedException {
        Deadline deadline = Deadline.in(SERVES_LIMIT);
        long wanted = crowd.acknowledgements().count() + STARTS_BETWEEN;
        boolean started = false;
        while (!started && crowd.acknowledgements().count() < wanted && !deadline.isOver()) {
            started = crowd.awaitStarted(Duration.ofMillis(20));
        }
    }
}
