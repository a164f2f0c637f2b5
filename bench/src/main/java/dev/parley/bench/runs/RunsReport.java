package dev.parley.bench.runs;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All windows of a run, and the rate that was held. */
record RunsReport(Machine machine, RunsPlan plan, List<Measured> windows) {
    /** LangGraph's self-hosting guide sizes 500 runs and 500 reads a second at 25 CPUs of application servers. */
    private static final double PUBLISHED_RATE = 500;

    private static final double PUBLISHED_CPUS = 25;

    /** The window of the highest rate that was held for the whole time. */
    Optional<Measured> held() {
        return windows.stream()
                .filter(window -> !window.purpose().equals("step") && window.holds())
                .findFirst();
    }

    /**
     * What was held, beside what others publish.
     *
     * @param cpus of servers, PostgreSQL and Redis together, at that rate
     * @param publishedCpus that the published sizing takes for that rate, its database not counted
     */
    record Held(int rate, int reads, double cpus, double publishedCpus, double ratio) {}

    Optional<Held> ratios() {
        return held().map(window -> {
            double cpus = window.perRun().serving() * window.finished() / window.seconds() / 1e6;
            double published = PUBLISHED_CPUS * window.rate() / PUBLISHED_RATE;
            return new Held(window.rate(), window.reads(), cpus, published, published / cpus);
        });
    }

    String text() {
        return """
                %s
                %d node(s), %d threads with a viewer each; the demo agent's short answers; an open loop: times are from when
                a request was due. A run is complete when its viewer has its last event. Reads are pages of messages, states
                of runs and days of history, a third each. Held means: nothing failed, the p99 of completion under 2 s, and
                no growing queue.

                %s
                %s
                %s""".formatted(machine, plan.nodes(), plan.threads(), times(), costs(), verdict());
    }

    private Table times() {
        Table table = new Table(
                "window",
                "runs/s",
                "reads/s",
                "s",
                "complete",
                "start p50",
                "p99",
                "max ms",
                "end p50",
                "p99",
                "max ms",
                "read p50",
                "p99",
                "max ms",
                "left",
                "failed",
                "held");
        for (Measured each : windows) {
            table.add(
                    each.purpose(),
                    Integer.toString(each.rate()),
                    Integer.toString(each.reads()),
                    whole(each.seconds()),
                    whole((double) each.finished()),
                    tenths(each.start().p50()),
                    tenths(each.start().p99()),
                    whole(each.start().max()),
                    tenths(each.completion().p50()),
                    tenths(each.completion().p99()),
                    whole(each.completion().max()),
                    tenths(each.read().p50()),
                    tenths(each.read().p99()),
                    whole(each.read().max()),
                    whole((double) each.unfinishedAfter()),
                    whole((double) each.failures()),
                    each.holds() ? "yes" : "no");
        }
        return table;
    }

    private Table costs() {
        Table table = new Table(
                "CPU µs, reads included",
                "runs/s",
                "server a run",
                "PostgreSQL",
                "Redis",
                "all",
                "all a message",
                "load generator",
                "cores in use",
                "fdatasync p50 µs",
                "p99 µs");
        for (Measured each : windows) {
            table.add(
                    each.purpose(),
                    Integer.toString(each.rate()),
                    whole(each.perRun().servers()),
                    whole(each.perRun().database()),
                    whole(each.perRun().redis()),
                    whole(each.perRun().serving()),
                    // A run is two messages: what was asked, and what was answered.
                    whole(each.perRun().serving() / 2),
                    whole(each.perRun().load()),
                    tenths(each.cores()),
                    whole((double) each.flush().p50Micros()),
                    whole((double) each.flush().p99Micros()));
        }
        return table;
    }

    private String verdict() {
        return ratios().map(held -> String.format(
                        Locale.ROOT,
                        "Held for the whole time: %d runs/s + %d reads/s with %.2f CPUs (the database included); the published"
                                + " sizing of LangGraph's server takes %.1f for that rate, its database not counted: %.0f × as much.",
                        held.rate(),
                        held.reads(),
                        held.cpus(),
                        held.publishedCpus(),
                        held.ratio()))
                .orElse("No rate was held.");
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }
}
