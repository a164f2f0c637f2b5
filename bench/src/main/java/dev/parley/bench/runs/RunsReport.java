package dev.parley.bench.runs;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All windows of a run, and the rate that was sustained. */
record RunsReport(Machine machine, RunsBench.Plan plan, List<Window> windows) implements Scenario.Report {
    /** LangGraph's self-hosting guide sizes 500 runs and 500 reads a second at 25 CPUs of application servers. */
    private static final double PUBLISHED_RATE = 500;

    private static final double PUBLISHED_CPUS = 25;

    /**
     * One window at one rate.
     *
     * @param purpose the reason for the window: the wanted rate, a step of the search, or the result of the search
     * @param unfinishedBefore the number of runs that were due and not complete when the window began
     * @param start the times from a run's due time to its acknowledgement
     * @param completion the times from a run's due time until its viewer had received the end of the run
     * @param cores the CPU seconds that all processes together use per second, including the load generator
     */
    record Window(
            String purpose,
            int rate,
            int reads,
            double seconds,
            long due,
            long finished,
            long readsDone,
            long unfinishedBefore,
            long unfinishedAfter,
            long failures,
            @Nullable String firstFailure,
            Latencies start,
            Latencies completion,
            Latencies read,
            CpuUse.Each perRun,
            double cores,
            DiskProbe.Flush flush) {
        private static final double MAX_MILLIS = 2_000;
        private static final double MIN_SHARE = 0.99;

        /** True if the rate was sustained: no failure, few slow runs, and no growing queue. */
        boolean holds() {
            return failures == 0
                    && completion.p99() < MAX_MILLIS
                    && finished >= MIN_SHARE * due - rate
                    && unfinishedAfter - unfinishedBefore <= 2L * rate;
        }
    }

    /**
     * The highest rate that was sustained for the whole time, beside the published sizing.
     *
     * @param cpus the CPUs that servers, PostgreSQL and Redis together use at that rate
     * @param publishedCpus the CPUs of the published sizing for that rate, without its database
     */
    record Held(int rate, int reads, double cpus, double publishedCpus, double ratio) {
        static Held of(Window window) {
            double cpus = window.perRun().serving() * window.finished() / window.seconds() / 1e6;
            double published = PUBLISHED_CPUS * window.rate() / PUBLISHED_RATE;
            return new Held(window.rate(), window.reads(), cpus, published, published / cpus);
        }
    }

    Optional<Held> held() {
        return windows.stream()
                .filter(window -> !window.purpose().equals("step") && window.holds())
                .findFirst()
                .map(Held::of);
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("held", held());
    }

    @Override
    public boolean holds() {
        return held().isPresent();
    }

    @Override
    public String text() {
        return """
                %s
                %d node(s), %d threads with a viewer each; the demo agent's short answers; an open loop: times are from when
                a request was due. A run is complete when its viewer has its last event. Reads are pages of messages, states
                of runs and days of history, a third each. A rate is sustained without failures, with a p99 of completion
                under 2 s, and with no growing queue.

                %s
                %s
                %s""".formatted(machine, plan.nodes(), plan.threads(), times(), costs(), verdict());
    }

    private Table times() {
        return new Columns<Window>()
                .add("window", Window::purpose)
                .add("runs/s", Window::rate)
                .add("reads/s", Window::reads)
                .whole("s", Window::seconds)
                .whole("complete", Window::finished)
                .tenths("start p50", each -> each.start().p50())
                .tenths("p99", each -> each.start().p99())
                .whole("max ms", each -> each.start().max())
                .tenths("end p50", each -> each.completion().p50())
                .tenths("p99", each -> each.completion().p99())
                .whole("max ms", each -> each.completion().max())
                .tenths("read p50", each -> each.read().p50())
                .tenths("p99", each -> each.read().p99())
                .whole("max ms", each -> each.read().max())
                .whole("left", Window::unfinishedAfter)
                .whole("failed", Window::failures)
                .add("sustained", each -> each.holds() ? "yes" : "no")
                .of(windows);
    }

    private Table costs() {
        return new Columns<Window>()
                .add("CPU µs, reads included", Window::purpose)
                .add("runs/s", Window::rate)
                .whole("server a run", each -> each.perRun().servers())
                .whole("PostgreSQL", each -> each.perRun().database())
                .whole("Redis", each -> each.perRun().redis())
                .whole("all", each -> each.perRun().serving())
                // A run is two messages: the question and the answer.
                .whole("all a message", each -> each.perRun().serving() / 2)
                .whole("load generator", each -> each.perRun().load())
                .tenths("cores in use", Window::cores)
                .whole("fdatasync p50 µs", each -> each.flush().p50Micros())
                .whole("p99 µs", each -> each.flush().p99Micros())
                .of(windows);
    }

    private String verdict() {
        return held().map(held -> String.format(
                        Locale.ROOT,
                        "Sustained for the whole time: %d runs/s + %d reads/s with %.2f CPUs (the database included); the published"
                                + " sizing of LangGraph's server takes %.1f for that rate, its database not counted: %.0f × as much.",
                        held.rate(),
                        held.reads(),
                        held.cpus(),
                        held.publishedCpus(),
                        held.ratio()))
                .orElse("No rate was sustained.");
    }
}
