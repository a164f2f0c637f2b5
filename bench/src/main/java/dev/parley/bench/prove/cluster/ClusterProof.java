package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.Callers;
import dev.parley.bench.prove.Proof;
import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
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

/** Breaks a cluster in round after round while users work with it, and judges the notes of these users. */
public final class ClusterProof {
    public static final BenchCommand COMMAND = new BenchCommand(
            "",
            "many nodes, every fault, and nothing lost, duplicated, reordered or stuck",
            """
                --nodes 3            nodes on one PostgreSQL and one Redis
                --minutes 10         length of the run; every kind of fault has its turn in any case
                --faults all         kinds of faults, separated by commas: %s
                --writers 8          writers of the crowd
                --readers 6          readers of the crowd
                --runs 2             clients that start runs
                --heap 512m          heap of each node
                --seed N             of the faults, their order and their particulars (1)
            """.formatted(FaultKind.words()),
            ClusterProof::run);

    private static final String SCRATCH = "cluster";
    private static final int SHOWN = 50;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final Setup setup;
    private final PrintStream out;
    private final Map<ThreadId, Digest> logs = new HashMap<>();
    private final List<Round> waiting = new ArrayList<>();
    private final List<RoundFinding> findings = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();

    /**
     * The parameters of a proof.
     *
     * @param shape the shape of the cluster
     * @param length the time after which no further round begins, if every kind of fault has had its turn
     * @param history the folder of all saved files
     */
    record Setup(
            FaultCluster.Shape shape,
            ProofLoad load,
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

    private static int run(Flags flags, PrintStream out) throws IOException, InterruptedException, SQLException {
        List<FaultKind> faults = FaultKind.read(flags.text("faults"));
        int seed = flags.seed();
        // The maximum of 100 writers follows from the fifty users that a thread takes, because two writers share a
        // user.
        ProofLoad load = ProofLoad.of(
                flags.number("writers", 1, 100), flags.number("readers", 0, 200), flags.number("runs", 0, 50));
        int nodes = flags.number("nodes", 1, 16);
        Duration length = flags.minutes("minutes", 1, 24 * 60);
        HistoryFolder history =
                HistoryFolder.make(Proof.path("cluster"), "./parley prove " + flags + " (seed " + seed + ")");
        FaultCluster.Shape shape = new FaultCluster.Shape(
                history.path().resolve(SCRATCH),
                nodes,
                flags.text("heap"),
                load.crowd().users(),
                faults.contains(FaultKind.DISK));
        Setup setup =
                new Setup(shape, load, faults, faults.size() > 1, seed, length, Integer.MAX_VALUE, history.path());
        out.println("seed " + seed + ", saved in " + history.path());
        return conclude(new ClusterProof(setup, out).run(), history, out);
    }

    static int conclude(ClusterFinding finding, HistoryFolder history, PrintStream out) throws IOException {
        history.save(finding);
        out.println();
        out.println(ClusterReport.table(finding));
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        out.println("saved in " + history.path());
        if (finding.holds()) {
            // The scratch files of a broken proof stay for inspection.
            Folders.delete(history.path().resolve(SCRATCH));
        }
        return finding.holds() ? 0 : 1;
    }

    ClusterFinding run() throws IOException, InterruptedException, SQLException {
        try (FaultCluster cluster = FaultCluster.start(setup.shape())) {
            List<FaultKind> possible =
                    FaultKind.possible(setup.faults(), cluster.disk().isPresent());
            List<Callers> users = Callers.of(cluster.accounts().users(), cluster.entrances(), ANSWER_LIMIT);
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

    private void rounds(FaultCluster cluster, List<Callers> users, List<FaultKind> possible)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(setup.seed());
        FaultPlan plan = new FaultPlan(possible, cluster, setup.pairs(), random.split());
        Deadline end = Deadline.in(setup.length());
        boolean well = true;
        for (int i = 1; well && i <= setup.maxRounds() && (!plan.everyKindHadItsTurn() || !end.isOver()); i++) {
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
            print(round);
            settle(false);
        }
    }

    private void print(Round round) {
        out.println(LocalTime.now(ZoneOffset.UTC).format(TIME) + "  " + round);
    }

    /** Judges the rounds whose runs are over, or all rounds. */
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

    private ClusterFinding end(FaultCluster cluster, List<FaultKind> possible) throws SQLException {
        Accounts.User reader = cluster.accounts().users().getFirst();
        List<String> changed = LogRecheck.compare(cluster, new Token(reader.token()), Map.copyOf(logs));
        try (Connection connection = cluster.connect()) {
            // All checks read one snapshot, because nodes may still write.
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
