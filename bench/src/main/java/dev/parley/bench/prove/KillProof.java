package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Deadline;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kills the server, its PostgreSQL or both under load, again and again on one data folder. The proof starts a killed
 * server again. The server itself must restart a killed PostgreSQL.
 */
record KillProof(Path folder, Crowd.Size size, int threads, long seed, PrintStream out) {
    private static final List<Victim> VICTIMS = List.of(Victim.values());
    private static final Duration SERVES_LIMIT = Duration.ofSeconds(60);
    private static final int MESSAGES_BETWEEN = 100;
    private static final int MAX_LOAD_MILLIS = 2_000;

    /** The process that is killed. */
    enum Victim {
        SERVER,
        POSTGRES,
        BOTH
    }

    /** Kills until the number of cycles is reached, the time is over, or a promise is broken. */
    LogFinding run(int cycles, Duration limit) throws IOException, InterruptedException {
        Accounts accounts = new Accounts(size.users());
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> unavailable = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        Deadline end = Deadline.in(limit);
        try (FrontedServer server = new FrontedServer(folder, accounts)) {
            List<ThreadId> made = accounts.makeThreads(server.uri(), threads);
            try (Crowd crowd = new Crowd(server.callers(), made, size, seed)) {
                crowd.start();
                for (int kill = 1; kill <= cycles && !end.isOver() && violations.isEmpty(); kill++) {
                    Victim victim = VICTIMS.get((kill - 1) % VICTIMS.size());
                    long before = crowd.acknowledgements().count();
                    if (!crowd.acknowledgements().awaitCount(before + MESSAGES_BETWEEN, SERVES_LIMIT)) {
                        violations.add("no message was accepted for " + SERVES_LIMIT + " before kill " + kill);
                        break;
                    }
                    Thread.sleep(random.nextInt(MAX_LOAD_MILLIS));
                    long killed = System.nanoTime();
                    kill(victim, server);
                    if (!crowd.acknowledgements().awaitStartedAfter(killed, SERVES_LIMIT)) {
                        violations.add("no message was accepted for " + SERVES_LIMIT + " after kill " + kill + " ("
                                + victim + ")");
                        break;
                    }
                    double seconds = (System.nanoTime() - killed) / 1e9;
                    unavailable.add(seconds);
                    out.printf("  kill %d of %-8s serves again after %.1f s%n", kill, victim, seconds);
                    if (!server.isRunning()) {
                        violations.add("the server ended by itself after kill " + kill + " (" + victim + ")");
                    }
                }
                return LogFinding.of(
                        "kill -9", seed, crowd.finish(server.uri()), crowd.incidents(), unavailable, violations);
            }
        }
    }

    private static void kill(Victim victim, FrontedServer server) throws IOException {
        if (victim != Victim.SERVER) {
            server.killPostgres();
        }
        if (victim != Victim.POSTGRES) {
            server.kill();
            server.startAgain();
        }
    }
}
