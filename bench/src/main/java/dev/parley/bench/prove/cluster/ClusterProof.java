package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.Callers;
import dev.parley.bench.rig.Accounts;
import dev.parley.log.Digest;
import dev.parley.protocol.ThreadId;
import dev.parley.sdk.Token;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** Breaks a cluster in one round after the other while it is used, and judges all that its users have seen. */
final class ClusterProof {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final Setup setup;
    private final PrintStream out;
    private final Map<ThreadId, Digest> logs = new HashMap<>();
    private final List<Round> waiting = new ArrayList<>();
    private final List<RoundFinding> findings = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();

    /**
     * What is asked for.
     *
     * @param shape of the cluster
     * @param length after which no further round begins, once every kind of fault had its turn
     * @param history the folder that everything is saved in
     */
    record Setup(
            Cluster.Shape shape,
            Load load,
            List<FaultKind> faults,
            boolean pairs,
            long seed,
            Duration length,
            int maxRounds,
            Path history) {}

    ClusterProof(Setup setup, PrintStream out) {
        this.setup = setup;
        this.out = out;
    }

    ClusterFinding run() throws IOException, InterruptedException, SQLException {
        try (Cluster cluster = Cluster.start(setup.shape())) {
            List<FaultKind> possible =
                    FaultKind.possible(setup.faults(), cluster.disk().isPresent());
            List<Callers> users = cluster.accounts().users().stream()
                    .map(user -> new Callers(user, cluster.entrances(), ANSWER_LIMIT))
                    .toList();
            try {
                rounds(cluster, users, possible);
                settle(true);
            } finally {
                waiting.forEach(Round::close);
                users.forEach(Callers::close);
            }
            return end(cluster, possible);
        }
    }

    private void rounds(Cluster cluster, List<Callers> users, List<FaultKind> possible)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(setup.seed());
        FaultPlan plan = new FaultPlan(possible, cluster, setup.pairs(), random.split());
        long end = System.nanoTime() + setup.length().toNanos();
        boolean well = true;
        for (int i = 1;
                well && i <= setup.maxRounds() && (!plan.everyKindHadItsTurn() || System.nanoTime() - end < 0);
                i++) {
            Round round;
            try {
                round = new Round(i, random.nextLong(), cluster, users, setup.load(), plan.next());
            } catch (RuntimeException failed) {
                stuck.add("round " + i + " could not begin: " + failed);
                return;
            }
            waiting.add(round);
            well = round.run();
            round.saveMessages(setup.history());
            logs.putAll(round.logs());
            say(round);
            settle(false);
        }
    }

    private void say(Round round) {
        out.println(LocalTime.now(ZoneOffset.UTC).format(TIME) + "  " + round);
    }

    /** Judges the rounds whose runs are over, or all of them. */
    private void settle(boolean all) throws IOException, InterruptedException {
        for (Round round : List.copyOf(waiting)) {
            if (all || round.isSettled()) {
                RoundFinding finding = round.judge();
                round.saveRuns(setup.history());
                HistoryFolder.add(setup.history(), finding);
                findings.add(finding);
                waiting.remove(round);
                round.close();
                if (!finding.holds()) {
                    out.println("  round " + finding.round() + " is BROKEN:");
                    finding.violations().forEach(violation -> out.println("    " + violation));
                }
            }
        }
    }

    private ClusterFinding end(Cluster cluster, List<FaultKind> possible) throws SQLException {
        Accounts.User reader = cluster.accounts().users().getFirst();
        List<String> changed = LogsAgain.compare(cluster, new Token(reader.token()), Map.copyOf(logs));
        try (Connection connection = cluster.connect()) {
            // One look at everything: nodes may still have something to do.
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            findings.sort(Comparator.comparingInt(RoundFinding::round));
            return new ClusterFinding(
                    setup.seed(),
                    setup.shape().nodes(),
                    setup.faults(),
                    possible,
                    List.copyOf(findings),
                    List.copyOf(stuck),
                    changed,
                    Chains.check(connection));
        }
    }
}
