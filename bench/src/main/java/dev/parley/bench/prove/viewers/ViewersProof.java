package dev.parley.bench.prove.viewers;

import dev.parley.bench.prove.Acknowledgements;
import dev.parley.bench.prove.Callers;
import dev.parley.bench.prove.Crowd;
import dev.parley.bench.prove.FinalLogs;
import dev.parley.bench.prove.Incidents;
import dev.parley.bench.prove.Proof;
import dev.parley.bench.prove.cluster.FaultCluster;
import dev.parley.bench.prove.cluster.Node;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.SeenEvents;
import dev.parley.bench.rig.Table;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Runs writers, and viewers that spread over the nodes of a cluster. Meanwhile the proof kills one node after the other
 * and starts each again.
 *
 * @param longestPauseMillis the longest pause between two messages of a writer
 * @param length the time after which no further node is killed
 * @param maxKills the number of kills after which the proof ends early
 */
public record ViewersProof(
        FaultCluster.Shape shape,
        int viewers,
        int threads,
        int writers,
        int longestPauseMillis,
        Duration length,
        Duration killEvery,
        int maxKills,
        long seed,
        PrintStream out) {
    public static final BenchCommand COMMAND = new BenchCommand(
            "viewers", "the streams of many viewers stay whole while nodes are killed", """
                --nodes 3            nodes on one PostgreSQL and one Redis
                --viewers 2000       viewers, spread over them
                --threads 40         threads that they view
                --writers 8          writers of these threads
                --minutes 3          length of the run
                --kill-every 20s     time until the next node is killed
                --heap 512m          heap of each node
                --seed N             of the random choices (1)
            """, ViewersProof::run);

    private static final String SCRATCH = "viewers";
    private static final int PAUSE_MILLIS = 200;
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(120);
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(120);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private static int run(Flags flags, PrintStream out) throws IOException, InterruptedException {
        int writers = flags.number("writers", 1, 100);
        int nodes = flags.number("nodes", 1, 16);
        ViewersProof proof = new ViewersProof(
                new FaultCluster.Shape(Proof.path(SCRATCH), nodes, flags.text("heap"), (writers + 1) / 2, false),
                flags.number("viewers", 1, 100_000),
                flags.number("threads", 1, 10_000),
                writers,
                PAUSE_MILLIS,
                flags.minutes("minutes", 1, 24 * 60),
                flags.seconds("kill-every", 1, 3_600),
                Integer.MAX_VALUE,
                flags.seed(),
                out);
        Folders.empty(Proof.path(SCRATCH));
        Finding finding = proof.run();
        out.println();
        out.println(finding.table());
        out.println("came back because of " + finding.answers());
        Proof.show(finding.violations(), out);
        return Proof.conclude("viewers.json", finding, finding.violations().isEmpty(), out, SCRATCH);
    }

    /**
     * The result of the proof.
     *
     * @param behind the number of viewers that did not reach the end of their thread
     * @param longestSilence the longest time between two events of one viewer, in seconds; the quiet times of threads
     *     count, too
     * @param caughtUp the seconds from the last message until all viewers had all messages
     * @param answers the number of reconnects for each reason
     * @param violations broken promises in words
     */
    record Finding(
            long seed,
            int nodes,
            int viewers,
            int kills,
            long messages,
            long deliveries,
            long reconnects,
            long gaps,
            long repeats,
            long behind,
            double longestSilence,
            double caughtUp,
            Map<String, Long> answers,
            List<String> violations) {
        private Table table() {
            return new Columns<Finding>()
                    .add("nodes", Finding::nodes)
                    .add("viewers", Finding::viewers)
                    .add("kills", Finding::kills)
                    .add("messages", Finding::messages)
                    .add("deliveries", Finding::deliveries)
                    .add("reconnects", Finding::reconnects)
                    .add("gaps", Finding::gaps)
                    .add("repeats", Finding::repeats)
                    .add("behind", Finding::behind)
                    .tenths("longest silence s", Finding::longestSilence)
                    .tenths("caught up s", Finding::caughtUp)
                    .of(List.of(this));
        }
    }

    Finding run() throws IOException, InterruptedException {
        try (FaultCluster cluster = FaultCluster.start(shape)) {
            List<URI> entrances = cluster.entrances();
            List<ThreadId> made = cluster.accounts().makeThreads(entrances.getFirst(), threads);
            List<Callers> callers = Callers.of(cluster.accounts().users(), entrances, ANSWER_LIMIT);
            try (Swarm swarm = swarm(cluster, made);
                    Crowd crowd = new Crowd(
                            callers,
                            made,
                            new Crowd.Size(writers, 0),
                            longestPauseMillis,
                            new Acknowledgements(),
                            new Incidents(),
                            seed)) {
                awaitOpen(swarm);
                crowd.start();
                int kills = kill(cluster, swarm);
                Verdict verdict = crowd.finish(entrances.getFirst());
                Map<ThreadId, Long> ends = FinalLogs.ends(crowd.logs());
                long began = System.nanoTime();
                Deadline.in(CATCH_UP_LIMIT).await(POLL, () -> swarm.hasSeenAll(ends));
                double caughtUp = (System.nanoTime() - began) / 1e9;
                swarm.close();
                return finding(swarm, ends, kills, caughtUp, verdict, crowd.incidents());
            } finally {
                callers.forEach(Callers::close);
            }
        }
    }

    private Swarm swarm(FaultCluster cluster, List<ThreadId> made) {
        SplittableRandom random = new SplittableRandom(seed);
        List<SwarmViewer> all = new ArrayList<>();
        int nodes = cluster.nodes().size();
        for (int i = 0; i < viewers; i++) {
            all.add(new SwarmViewer(made.get(i % made.size()), i / made.size() % nodes, random.split()));
        }
        String token = cluster.accounts().users().getFirst().token();
        return new Swarm(all, nodes, node -> cluster.nodes().get(node).address(), token);
    }

    private void awaitOpen(Swarm swarm) throws InterruptedException {
        if (!Deadline.in(OPEN_LIMIT).await(POLL, () -> swarm.open() >= viewers)) {
            throw new IllegalStateException(
                    "Only " + swarm.open() + " viewers were answered within " + OPEN_LIMIT + ": " + swarm.answers());
        }
    }

    private int kill(FaultCluster cluster, Swarm swarm) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        int kills = 0;
        long next = System.nanoTime() + killEvery.toNanos();
        while (kills < maxKills && System.nanoTime() - end < 0) {
            Thread.sleep(Duration.ofNanos(Math.max(1, Math.min(next, end) - System.nanoTime())));
            if (System.nanoTime() - end < 0) {
                Node node = cluster.nodes().get(kills % cluster.nodes().size());
                next = System.nanoTime() + killEvery.toNanos();
                node.kill();
                kills++;
                long left = swarm.open();
                long killed = System.nanoTime();
                node.start();
                out.printf(
                        "  kill %d of %s, %d of %d viewers connected just then; it listens again after %.1f s%n",
                        kills, node, left, viewers, (System.nanoTime() - killed) / 1e9);
            }
        }
        return kills;
    }

    private Finding finding(
            Swarm swarm, Map<ThreadId, Long> ends, int kills, double caughtUp, Verdict verdict, Incidents ofWriters) {
        List<String> violations = new ArrayList<>(swarm.failures());
        violations.addAll(ofWriters.stuck());
        violations.addAll(ofWriters.unexpected());
        verdict.violations().stream().map(Violation::toString).forEach(violations::add);
        long behind = 0;
        for (SwarmViewer viewer : swarm.viewers()) {
            long end = ends.getOrDefault(viewer.thread(), 0L);
            SeenEvents seen = viewer.seen();
            if (seen.seq() != end) {
                behind++;
            }
            if (seen.seq() != end || seen.gaps() > 0 || seen.repeats() > 0) {
                violations.add("a viewer of thread " + viewer.thread() + " has " + seen.gaps() + " gaps, "
                        + seen.repeats() + " repeats and ended at " + seen.seq() + " of " + end);
            }
        }
        List<SwarmViewer> all = swarm.viewers();
        return new Finding(
                seed,
                shape.nodes(),
                all.size(),
                kills,
                verdict.entries(),
                all.stream().mapToLong(viewer -> viewer.seen().deliveries()).sum(),
                all.stream().mapToLong(SwarmViewer::reconnects).sum(),
                all.stream().mapToLong(viewer -> viewer.seen().gaps()).sum(),
                all.stream().mapToLong(viewer -> viewer.seen().repeats()).sum(),
                behind,
                all.stream()
                        .mapToDouble(SwarmViewer::longestSilenceSeconds)
                        .max()
                        .orElse(0),
                caughtUp,
                swarm.answers(),
                violations);
    }
}
