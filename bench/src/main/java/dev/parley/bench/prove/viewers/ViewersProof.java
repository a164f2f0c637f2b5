package dev.parley.bench.prove.viewers;

import dev.parley.bench.prove.Acknowledgements;
import dev.parley.bench.prove.Callers;
import dev.parley.bench.prove.Crowd;
import dev.parley.bench.prove.Incidents;
import dev.parley.bench.prove.cluster.Cluster;
import dev.parley.bench.prove.cluster.Node;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.LogEntry;
import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Viewers spread over the nodes of a cluster, writers at work, and one node after the other killed and started again. */
final class ViewersProof {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(120);
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(120);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Setup setup;
    private final PrintStream out;

    /**
     * What is asked for.
     *
     * @param longestPauseMillis between two messages of a writer
     * @param length after which no further node is killed
     * @param maxKills after which it is over, too
     */
    record Setup(
            Cluster.Shape shape,
            int viewers,
            int threads,
            int writers,
            int longestPauseMillis,
            Duration length,
            Duration killEvery,
            int maxKills,
            long seed) {}

    ViewersProof(Setup setup, PrintStream out) {
        this.setup = setup;
        this.out = out;
    }

    ViewersFinding run() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.start(setup.shape())) {
            List<URI> entrances = cluster.nodes().stream().map(Node::entrance).toList();
            List<ThreadId> threads = cluster.accounts().makeThreads(entrances.getFirst(), setup.threads());
            List<Callers> writers = cluster.accounts().users().stream()
                    .map(user -> new Callers(user, entrances, ANSWER_LIMIT))
                    .toList();
            try (Swarm swarm = swarm(cluster, threads);
                    Crowd crowd = new Crowd(
                            writers,
                            threads,
                            new Crowd.Size(setup.writers(), 0),
                            setup.longestPauseMillis(),
                            new Acknowledgements(),
                            setup.seed())) {
                awaitOpen(swarm);
                crowd.start();
                int kills = kill(cluster, swarm);
                Verdict verdict = crowd.finish(entrances.getFirst());
                Map<ThreadId, Long> ends = ends(crowd.logs());
                double caughtUp = awaitEnds(swarm, ends);
                swarm.stop();
                return finding(swarm, ends, kills, caughtUp, verdict, crowd.incidents());
            } finally {
                writers.forEach(Callers::close);
            }
        }
    }

    private Swarm swarm(Cluster cluster, List<ThreadId> threads) throws IOException {
        SplittableRandom random = new SplittableRandom(setup.seed());
        List<Viewer> viewers = new ArrayList<>();
        int nodes = cluster.nodes().size();
        for (int i = 0; i < setup.viewers(); i++) {
            viewers.add(new Viewer(threads.get(i % threads.size()), i / threads.size() % nodes, random.split()));
        }
        return new Swarm(
                viewers,
                nodes,
                node -> {
                    URI address = cluster.nodes().get(node).address();
                    return new InetSocketAddress(address.getHost(), address.getPort());
                },
                cluster.accounts().users().getFirst().token());
    }

    private void awaitOpen(Swarm swarm) throws InterruptedException {
        long deadline = System.nanoTime() + OPEN_LIMIT.toNanos();
        while (swarm.open() < setup.viewers()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Only " + swarm.open() + " viewers were answered within " + OPEN_LIMIT
                        + ": " + swarm.answers());
            }
            Thread.sleep(POLL);
        }
    }

    private int kill(Cluster cluster, Swarm swarm) throws InterruptedException {
        long end = System.nanoTime() + setup.length().toNanos();
        int kills = 0;
        long next = System.nanoTime() + setup.killEvery().toNanos();
        while (kills < setup.maxKills() && System.nanoTime() - end < 0) {
            Thread.sleep(Duration.ofNanos(Math.max(1, Math.min(next, end) - System.nanoTime())));
            if (System.nanoTime() - end < 0) {
                Node node = cluster.nodes().get(kills % cluster.nodes().size());
                next = System.nanoTime() + setup.killEvery().toNanos();
                node.kill();
                kills++;
                long left = swarm.open();
                long killed = System.nanoTime();
                node.start();
                out.printf(
                        "  kill %d of %s, %d of %d viewers connected just then; it listens again after %.1f s%n",
                        kills, node, left, setup.viewers(), (System.nanoTime() - killed) / 1e9);
            }
        }
        return kills;
    }

    private static Map<ThreadId, Long> ends(Map<ThreadId, List<LogEntry>> logs) {
        Map<ThreadId, Long> ends = new HashMap<>();
        logs.forEach((thread, log) ->
                ends.put(thread, log.isEmpty() ? 0 : log.getLast().seq()));
        return ends;
    }

    private static boolean isAtEnd(Viewer viewer, Map<ThreadId, Long> ends) {
        return viewer.seq() >= ends.getOrDefault(viewer.thread(), 0L);
    }

    /** How many seconds it took until all had everything. */
    private static double awaitEnds(Swarm swarm, Map<ThreadId, Long> ends) throws InterruptedException {
        long began = System.nanoTime();
        while (!swarm.viewers().stream().allMatch(viewer -> isAtEnd(viewer, ends))
                && System.nanoTime() - began < CATCH_UP_LIMIT.toNanos()) {
            Thread.sleep(POLL);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private ViewersFinding finding(
            Swarm swarm, Map<ThreadId, Long> ends, int kills, double caughtUp, Verdict verdict, Incidents ofWriters) {
        List<String> violations = new ArrayList<>(swarm.failures());
        violations.addAll(ofWriters.stuck());
        violations.addAll(ofWriters.unexpected());
        verdict.violations().stream().map(Violation::toString).forEach(violations::add);
        long behind = 0;
        for (Viewer viewer : swarm.viewers()) {
            long end = ends.getOrDefault(viewer.thread(), 0L);
            if (viewer.seq() != end) {
                behind++;
            }
            if (viewer.seq() != end || viewer.gaps() > 0 || viewer.repeats() > 0) {
                violations.add("a viewer of thread " + viewer.thread() + " has " + viewer.gaps() + " gaps, "
                        + viewer.repeats() + " repeats and ended at " + viewer.seq() + " of " + end);
            }
        }
        List<Viewer> all = swarm.viewers();
        return new ViewersFinding(
                setup.seed(),
                setup.shape().nodes(),
                all.size(),
                kills,
                verdict.entries(),
                all.stream().mapToLong(Viewer::deliveries).sum(),
                all.stream().mapToLong(Viewer::reconnects).sum(),
                all.stream().mapToLong(Viewer::gaps).sum(),
                all.stream().mapToLong(Viewer::repeats).sum(),
                behind,
                all.stream().mapToDouble(Viewer::longestSilenceSeconds).max().orElse(0),
                caughtUp,
                swarm.answers(),
                violations);
    }
}
