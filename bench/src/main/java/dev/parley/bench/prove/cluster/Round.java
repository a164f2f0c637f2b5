package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.Acknowledgements;
import dev.parley.bench.prove.Callers;
import dev.parley.bench.prove.Crowd;
import dev.parley.bench.prove.Incidents;
import dev.parley.bench.prove.RunCrowd;
import dev.parley.bench.prove.RunOutcome;
import dev.parley.bench.rig.Figures;
import dev.parley.log.Digest;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One round of the proof: a crowd in threads of its own that works while faults begin and end. Messages are judged at
 * the end of the round. Runs are judged later, because a run that a fault has orphaned needs a lease or two until its
 * end.
 */
final class Round implements AutoCloseable {
    static final String TWO = "two at once";

    private static final Duration SERVES_LIMIT = Duration.ofSeconds(60);
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);
    private static final int THREADS = 4;
    private static final int ACKNOWLEDGED_BEFORE = 40;
    private static final int SHOWN = 50;

    private final int number;
    private final long seed;
    private final FaultCluster cluster;
    private final List<Fault> faults;
    private final List<ThreadId> threads;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final Incidents incidents = new Incidents();
    private final Crowd crowd;
    private final RunCrowd runs;
    private final Instant began = Instant.now();
    private final List<Double> silences = new ArrayList<>();
    private String broken = "";
    private String mended = "";
    private double seconds;
    private Verdict verdict = new Verdict(0, 0, 0, 0, 0, 0, 0, List.of());

    Round(int number, long seed, FaultCluster cluster, List<Callers> users, ProofLoad load, List<Fault> faults) {
        this.number = number;
        this.seed = seed;
        this.cluster = cluster;
        this.faults = faults;
        this.threads = cluster.accounts().makeThreads(cluster.anEntrance(), THREADS);
        this.crowd =
                new Crowd(users, threads, load.crowd(), load.longestPauseMillis(), acknowledgements, incidents, seed);
        this.runs = new RunCrowd(users.getFirst(), load.runs(), acknowledgements, incidents, seed);
    }

    /**
     * Returns when all faults have ended, every node serves again and the messages are judged; false if a step failed.
     */
    boolean run() throws InterruptedException {
        crowd.start();
        runs.start();
        if (!acknowledgements.awaitCount(ACKNOWLEDGED_BEFORE, SERVES_LIMIT)) {
            incidents.stuck("no message was accepted for " + SERVES_LIMIT + " before the faults");
        }
        long begin = System.nanoTime();
        boolean whole = breakAndMend();
        boolean serving = nodesServe();
        if (!acknowledgements.awaitStartedAfter(System.nanoTime(), SERVES_LIMIT)) {
            incidents.stuck("no message was accepted for " + SERVES_LIMIT + " after the faults");
        }
        long end = System.nanoTime();
        acknowledgements.silences().stream()
                .map(silence -> silence.secondsWithin(begin, end))
                .filter(silence -> silence > 0)
                .forEach(silences::add);
        Thread.sleep(AFTERWARDS);
        runs.stopStarting();
        try {
            verdict = crowd.finish(cluster.anEntrance());
        } catch (RuntimeException unreadable) {
            incidents.stuck("the messages could not be read: " + unreadable);
        }
        seconds = (System.nanoTime() - begin) / 1e9;
        return whole && serving;
    }

    private boolean breakAndMend() throws InterruptedException {
        boolean done = true;
        broken = Instant.now().toString();
        List<Fault> begun = new ArrayList<>();
        for (Fault fault : faults) {
            done &= step(fault, "begin", fault.begin());
            begun.add(fault);
        }
        Thread.sleep(faults.stream().map(Fault::hold).max(Duration::compareTo).orElse(Duration.ZERO));
        for (Fault fault : begun) {
            done &= step(fault, "end", fault.end());
        }
        mended = Instant.now().toString();
        return done;
    }

    private boolean step(Fault fault, String half, Fault.Step step) throws InterruptedException {
        try {
            step.run();
            return true;
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception | AssertionError failed) {
            incidents.stuck("the " + half + " of " + fault + " did not work: " + failed);
            return false;
        }
    }

    private boolean nodesServe() throws InterruptedException {
        boolean all = true;
        for (Node node : cluster.nodes()) {
            if (!node.isRunning()) {
                incidents.stuck(node + " has ended by itself");
                all = false;
            } else if (!node.awaitReady(SERVES_LIMIT)) {
                incidents.stuck(node + " was not ready " + SERVES_LIMIT + " after the faults");
            }
        }
        return all;
    }

    /** Saves the notes on messages. */
    void saveMessages(Path folder) throws IOException {
        crowd.save(HistoryFolder.messages(folder, number));
    }

    /** Saves the notes on runs, once they are judged. */
    void saveRuns(Path folder) throws IOException {
        runs.save(HistoryFolder.runs(folder, number));
    }

    /** The digest of each thread's log, which must stay the same until the end of the proof. */
    Map<ThreadId, Digest> logs() {
        Map<ThreadId, Digest> logs = new HashMap<>();
        crowd.logs().forEach((thread, log) -> logs.put(thread, LogRecheck.digest(log)));
        return logs;
    }

    /** True if the round can be judged without waiting. */
    boolean isSettled() {
        return runs.isSettled();
    }

    /** A short summary, before the runs are judged. */
    @Override
    public String toString() {
        return "round %d  %s: %d operations, %d acknowledged, %s%s"
                .formatted(
                        number,
                        faults.stream().map(Fault::toString).collect(Collectors.joining(" and ")),
                        verdict.operations(),
                        verdict.acknowledged(),
                        verdict.clean() && incidents.stuck().isEmpty() ? "clean" : "BROKEN " + violations(verdict),
                        unavailable());
    }

    private String unavailable() {
        return silences.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", unavailable for %.1f s, at most %.1f s",
                        Figures.sum(silences),
                        Figures.max(silences));
    }

    private static List<String> violations(Verdict verdict) {
        return verdict.violations().stream()
                .limit(SHOWN)
                .map(Violation::toString)
                .toList();
    }

    /** Waits for the ends of the runs, judges the runs, and returns the finding of the whole round. */
    RoundFinding judge() throws InterruptedException {
        RunOutcome outcome = judgeRuns();
        List<String> stuck = new ArrayList<>(incidents.stuck());
        stuck.addAll(outcome.stuck());
        List<String> other = new ArrayList<>(incidents.unexpected());
        other.addAll(outcome.violations());
        List<String> violations = new ArrayList<>(violations(verdict));
        violations.addAll(outcome.lost());
        violations.addAll(stuck);
        violations.addAll(other);
        long named = verdict.lost() + verdict.duplicated() + verdict.reordered() + verdict.gaps();
        return new RoundFinding(
                number,
                faults.size() == 1 ? faults.getFirst().kind().word() : TWO,
                faults.stream().map(Fault::toString).toList(),
                seed,
                began.toString(),
                broken,
                mended,
                seconds,
                verdict.operations() + outcome.runs(),
                verdict.acknowledged() + outcome.runs(),
                outcome.states(),
                verdict.lost() + outcome.lost().size(),
                verdict.duplicated(),
                verdict.reordered() + verdict.gaps(),
                stuck.size(),
                verdict.violations().size() - named + other.size(),
                List.copyOf(silences),
                incidents.answers(),
                violations);
    }

    private RunOutcome judgeRuns() throws InterruptedException {
        try {
            return runs.finish(cluster.anEntrance());
        } catch (RuntimeException unreadable) {
            String failure = "the runs could not be read: " + unreadable;
            return new RunOutcome(Map.of(), 0, 0, List.of(), List.of(failure), List.of());
        }
    }

    @Override
    public void close() {
        crowd.close();
        runs.close();
    }
}
