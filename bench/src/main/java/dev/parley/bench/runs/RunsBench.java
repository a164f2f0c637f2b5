package dev.parley.bench.runs;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * Measures the wanted rate. If the wanted rate is not sustained, searches for a lower rate that is sustained, and
 * measures the found rate for the same time. Fails if no rate was sustained.
 */
public final class RunsBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "runs",
            "runs and reads a second that are sustained, and the cost of each",
            """
                --rate 500           runs due a second
                --reads 500          reads due a second beside them
                --minutes 10         time for which the rate has to be sustained
                --seconds N          the same in seconds
                --nodes 1            servers on one PostgreSQL, asked in turn
                --bus redis          carrier of wake-ups between several: redis, postgres or none
                --threads 1000       threads in which the runs happen, with one viewer each
                --step 50            step of the search if the rate is not sustained
                --step-seconds 20    length of each step of the search
                --warm-up 30         seconds at the lowest rate before anything is measured
                --json FILE          file of the figures (target/bench/runs.json)
            """,
            Plan::of,
            (plan, bench) -> new RunsBench(plan, bench).measure());

    private static final Duration OPEN_LIMIT = Duration.ofSeconds(120);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
    private static final Duration DRAIN_LIMIT_AFTER_FAILURES = Duration.ofMinutes(1);
    private static final Duration DRAIN_POLL = Duration.ofMillis(50);
    /**
     * The window ends early if the queue grows by the runs of this many seconds, because such a queue cannot be worked
     * off in time.
     */
    private static final int HOPELESS_SECONDS = 10;

    /**
     * The parameters of a run.
     *
     * @param hold the time for which the rate has to be sustained
     */
    record Plan(
            int rate,
            int reads,
            Duration hold,
            int nodes,
            Bus bus,
            int threads,
            int step,
            Duration stepWindow,
            Duration warmUp,
            Path json)
            implements Scenario.Plan {
        static Plan of(Flags flags) {
            Duration minutes = flags.minutes("minutes", 1, 1_440);
            int nodes = flags.number("nodes", 1, 16);
            return new Plan(
                    flags.number("rate", 1, 100_000),
                    flags.number("reads", 0, 100_000),
                    flags.given("seconds") ? flags.seconds("seconds", 1, 86_400) : minutes,
                    nodes,
                    Bus.of(flags, nodes),
                    flags.number("threads", 1, 20_000),
                    flags.number("step", 1, 10_000),
                    flags.seconds("step-seconds", 1, 3_600),
                    flags.seconds("warm-up", 0, 3_600),
                    flags.path("json"));
        }

        /** The rate of reads for a rate of runs, in the proportion of the wanted rates. */
        int readsAt(int runs) {
            return (int) Math.round((double) reads * runs / rate);
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final Cluster cluster;
    private final RunsLoad load;
    private final List<RunsReport.Window> windows = new ArrayList<>();

    private RunsBench(Plan plan, Workbench bench) {
        this.plan = plan;
        this.bench = bench;
        this.cluster = bench.keep(new Cluster(bench.folder(), new Accounts(1), plan.nodes(), plan.bus()));
        this.load = bench.keep(new RunsLoad(cluster, cluster.accounts().makeThreads(cluster.uri(), plan.threads())));
    }

    private RunsReport measure() throws IOException, InterruptedException {
        Awaitility.await().atMost(OPEN_LIMIT).until(load::isWatched);
        if (!plan.warmUp().isZero()) {
            measure("warm-up", Math.min(plan.step(), plan.rate()), plan.warmUp());
        }
        RunsReport.Window wanted = measure("wanted", plan.rate(), plan.hold());
        windows.add(wanted);
        if (!wanted.holds()) {
            search();
        }
        return new RunsReport(bench.machine(), plan, List.copyOf(windows));
    }

    private void search() throws IOException, InterruptedException {
        int best = 0;
        for (int rate = plan.step(); rate < plan.rate(); rate += plan.step()) {
            RunsReport.Window step = measure("step", rate, plan.stepWindow());
            windows.add(step);
            if (!step.holds()) {
                break;
            }
            best = rate;
        }
        for (; best > 0; best -= plan.step()) {
            RunsReport.Window confirmed = measure("found", best, plan.hold());
            windows.add(confirmed);
            if (confirmed.holds()) {
                return;
            }
        }
    }

    private RunsReport.Window measure(String purpose, int rate, Duration length)
            throws IOException, InterruptedException {
        DiskProbe.Flush flush = bench.probeDisk();
        load.takeStarts();
        load.takeCompletions();
        load.takeReads();
        load.takeFirstFailure();
        Window window = new Window(cluster::used);
        Window.Count due = window.count(load::due);
        Window.Count finished = window.count(load::finished);
        Window.Count reads = window.count(load::readsDone);
        Window.Count unfinished = window.count(load::unfinished);
        Window.Count failures = window.count(load::failures);
        window.begin();
        load.rate(rate, plan.readsAt(rate));
        awaitEnd(unfinished.first(), failures.first(), rate, length);
        window.end();
        load.rate(0, 0);
        RunsReport.Window measured = new RunsReport.Window(
                purpose,
                rate,
                plan.readsAt(rate),
                window.seconds(),
                due.grown(),
                finished.grown(),
                reads.grown(),
                unfinished.first(),
                unfinished.last(),
                failures.grown(),
                load.takeFirstFailure(),
                Latencies.ofMicros(load.takeStarts()),
                Latencies.ofMicros(load.takeCompletions()),
                Latencies.ofMicros(load.takeReads()),
                window.cpu().per(finished.grown()),
                window.cpu().cores(window.seconds()),
                flush);
        drain(failures.first());
        print(measured);
        return measured;
    }

    private void awaitEnd(long unfinishedBefore, long failuresBefore, int rate, Duration length)
            throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Math.min(1_000, left / 1_000_000 + 1));
            if (load.unfinished() - unfinishedBefore > (long) HOPELESS_SECONDS * rate
                    || load.failures() - failuresBefore > rate) {
                return;
            }
        }
    }

    /**
     * Waits until the queue is empty, so that one window does not slow the next window. The limit is shorter after
     * failures, because then some runs never end.
     */
    private void drain(long failuresBefore) throws InterruptedException {
        Duration limit = load.failures() == failuresBefore ? DRAIN_LIMIT : DRAIN_LIMIT_AFTER_FAILURES;
        load.watchAgain();
        Deadline.in(limit).await(DRAIN_POLL, () -> load.isIdle() && load.isWatched());
    }

    private void print(RunsReport.Window window) {
        bench.out()
                .printf(
                        "%-8s %,5d runs/s + %,5d reads/s  complete p50 %,.0f p99 %,.0f ms  %,.0f µs CPU a run  %.1f cores  %s%n",
                        window.purpose(),
                        window.rate(),
                        window.reads(),
                        window.completion().p50(),
                        window.completion().p99(),
                        window.perRun().serving(),
                        window.cores(),
                        window.holds()
                                ? "sustained"
                                : "not sustained" + (window.failures() == 0 ? "" : ": " + window.firstFailure()));
    }
}
