package dev.parley.bench.runs;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** The whole benchmark: the wanted rate; if it is not held, a search for one that is, and that one for as long. */
final class RunsBench {
    private static final Path FOLDER = Path.of("target", "bench", "runs");
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(120);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
    private static final Duration DRAIN_LIMIT_AFTER_FAILURES = Duration.ofMinutes(1);
    private static final Duration DRAIN_POLL = Duration.ofMillis(50);
    private static final Duration FLUSH_PROBE = Duration.ofMillis(300);
    /** A queue of so many seconds will not be worked off in time: there is no need to wait for the end of the window. */
    private static final int HOPELESS_SECONDS = 10;

    private final RunsPlan plan;
    private final PrintStream out;

    RunsBench(RunsPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    RunsReport run() throws IOException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<Measured> windows = new ArrayList<>();
        try (Cluster cluster = new Cluster(folder, new Accounts(1), plan.nodes(), plan.bus());
                RunsLoad load = new RunsLoad(
                        cluster, cluster.accounts().makeThreads(cluster.uris().getFirst(), plan.threads()))) {
            Awaitility.await().atMost(OPEN_LIMIT).until(load::isWatched);
            if (!plan.warmUp().isZero()) {
                say(measure(cluster, load, folder, "warm-up", Math.min(plan.step(), plan.rate()), plan.warmUp()));
            }
            windows.add(say(measure(cluster, load, folder, "wanted", plan.rate(), plan.hold())));
            if (!windows.getFirst().holds()) {
                search(cluster, load, folder, windows);
            }
            return new RunsReport(machine, plan, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private void search(Cluster cluster, RunsLoad load, Path folder, List<Measured> windows)
            throws IOException, InterruptedException {
        int best = 0;
        for (int rate = plan.step(); rate < plan.rate(); rate += plan.step()) {
            Measured step = say(measure(cluster, load, folder, "step", rate, plan.stepWindow()));
            windows.add(step);
            if (!step.holds()) {
                break;
            }
            best = rate;
        }
        for (; best > 0; best -= plan.step()) {
            Measured found = say(measure(cluster, load, folder, "found", best, plan.hold()));
            windows.add(found);
            if (found.holds()) {
                return;
            }
        }
    }

    private Measured measure(Cluster cluster, RunsLoad load, Path folder, String purpose, int rate, Duration window)
            throws IOException, InterruptedException {
        DiskProbe.Flush flush = DiskProbe.measure(folder, FLUSH_PROBE);
        load.takeStarts();
        load.takeCompletions();
        load.takeReads();
        load.takeFirstFailure();
        Sample before = Sample.of(cluster, load);
        load.rate(rate, plan.readsAt(rate));
        awaitEnd(load, before, rate, window);
        Sample after = Sample.of(cluster, load);
        load.rate(0, 0);
        Measured measured = new Measured(
                purpose,
                rate,
                plan.readsAt(rate),
                (after.nanos() - before.nanos()) / 1e9,
                after.due() - before.due(),
                after.finished() - before.finished(),
                after.reads() - before.reads(),
                before.unfinished(),
                after.unfinished(),
                after.failures() - before.failures(),
                load.takeFirstFailure(),
                Latencies.ofMicros(load.takeStarts()),
                Latencies.ofMicros(load.takeCompletions()),
                Latencies.ofMicros(load.takeReads()),
                after.cpu().since(before.cpu()).per(after.finished() - before.finished()),
                after.cpu().since(before.cpu()).cores((after.nanos() - before.nanos()) / 1e9),
                flush);
        drain(load, before);
        return measured;
    }

    private static void awaitEnd(RunsLoad load, Sample before, int rate, Duration window) throws InterruptedException {
        long end = System.nanoTime() + window.toNanos();
        for (long left = window.toNanos(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Math.min(1_000, left / 1_000_000 + 1));
            if (load.unfinished() - before.unfinished() > (long) HOPELESS_SECONDS * rate
                    || load.failures() - before.failures() > rate) {
                return;
            }
        }
    }

    /** What a window left behind must not weigh on the next one; what failed may have left something for ever. */
    private static void drain(RunsLoad load, Sample before) throws InterruptedException {
        boolean wasWell = load.failures() == before.failures();
        long end = System.nanoTime() + (wasWell ? DRAIN_LIMIT : DRAIN_LIMIT_AFTER_FAILURES).toNanos();
        load.watchAgain();
        while (!(load.isIdle() && load.isWatched()) && System.nanoTime() - end < 0) {
            Thread.sleep(DRAIN_POLL);
        }
    }

    private record Sample(long nanos, long due, long finished, long reads, long unfinished, long failures, CpuUse cpu) {
        static Sample of(Cluster cluster, RunsLoad load) {
            return new Sample(
                    System.nanoTime(),
                    load.due(),
                    load.finished(),
                    load.readsDone(),
                    load.unfinished(),
                    load.failures(),
                    cluster.used());
        }
    }

    private Measured say(Measured window) {
        out.printf(
                "%-8s %,5d runs/s + %,5d reads/s  complete p50 %,.0f p99 %,.0f ms  %,.0f µs CPU a run  %.1f cores  %s%n",
                window.purpose(),
                window.rate(),
                window.reads(),
                window.completion().p50(),
                window.completion().p99(),
                window.perRun().serving(),
                window.cores(),
                window.holds() ? "held" : "not held" + (window.failures() == 0 ? "" : ": " + window.firstFailure()));
        return window;
    }
}
