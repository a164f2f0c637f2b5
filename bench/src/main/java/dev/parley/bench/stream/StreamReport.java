package dev.parley.bench.stream;

import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** All windows of a run, and what they come to. */
record StreamReport(Machine machine, StreamPlan plan, DiskProbe.Flush flush, List<Measured> windows) {
    private static final double MAX_P50_RATIO = 3;
    private static final double MAX_P99_RATIO = 10;
    private static final String PARLEY = "Parley";
    private static final String DIRECT = "direct";

    /**
     * Medians of the rounds: a token's time to the median commit of the same window, and to the time without storing.
     */
    record Ratios(double p50ToCommit, double p99ToCommit, double p50ToDirect, double p99ToDirect, double cpuToDirect) {
        boolean holds() {
            return p50ToCommit <= MAX_P50_RATIO && p99ToCommit <= MAX_P99_RATIO;
        }
    }

    Ratios ratios() {
        return new Ratios(
                median(
                        PARLEY,
                        each -> (double) each.latency().p50() / each.commit().p50()),
                median(
                        PARLEY,
                        each -> (double) each.latency().p99() / each.commit().p50()),
                median(PARLEY, each -> each.latency().p50())
                        / median(DIRECT, each -> each.latency().p50()),
                median(PARLEY, each -> each.latency().p99())
                        / median(DIRECT, each -> each.latency().p99()),
                median(PARLEY, each -> each.serverMicros() + each.databaseMicros())
                        / median(DIRECT, Measured::serverMicros));
    }

    private double median(String peer, ToDoubleFunction<Measured> figure) {
        return Figures.median(windows.stream()
                .filter(window -> window.peer().equals(peer))
                .map(figure::applyAsDouble)
                .toList());
    }

    String text() {
        return """
                %s
                %d runs at %d tokens/s with a viewer each, %d rounds of %d s, medians of the rounds; a flush of the disk
                alone takes %,d µs (p50), %,d µs (p99)
                A token's time is from when it was due until its viewer has its bytes. It holds: waiting for the run's
                last post to be answered, a post over HTTP, the commit (Parley only), the stream, and what the load
                generator is late by itself. A commit is one row, inserted by a JDBC connection of its own meanwhile.

                %s
                %s""".formatted(
                        machine,
                        plan.runs(),
                        plan.rate(),
                        plan.rounds(),
                        plan.window().toSeconds(),
                        flush.p50Micros(),
                        flush.p99Micros(),
                        figures(),
                        goals());
    }

    private Table figures() {
        Table table = new Table(
                "peer",
                "tokens/s",
                "p50 µs",
                "p99 µs",
                "p999 µs",
                "commit p50 µs",
                "commit p99 µs",
                "server CPU µs",
                "PostgreSQL CPU µs",
                "client CPU µs");
        for (String peer : List.of(PARLEY, DIRECT)) {
            table.add(
                    peer,
                    whole(median(peer, each -> each.tokens() / each.seconds())),
                    whole(median(peer, each -> each.latency().p50())),
                    whole(median(peer, each -> each.latency().p99())),
                    whole(median(peer, each -> each.latency().p999())),
                    whole(median(peer, each -> each.commit().p50())),
                    whole(median(peer, each -> each.commit().p99())),
                    whole(median(peer, Measured::serverMicros)),
                    whole(median(peer, Measured::databaseMicros)),
                    whole(median(peer, Measured::clientMicros)));
        }
        return table;
    }

    private Table goals() {
        Ratios ratios = ratios();
        Table table = new Table("Parley", "ratio", "to reach");
        table.add("p50 / commit p50", tenths(ratios.p50ToCommit()), goal(ratios.p50ToCommit(), MAX_P50_RATIO));
        table.add("p99 / commit p50", tenths(ratios.p99ToCommit()), goal(ratios.p99ToCommit(), MAX_P99_RATIO));
        table.add("p50 / direct", tenths(ratios.p50ToDirect()), "-");
        table.add("p99 / direct", tenths(ratios.p99ToDirect()), "-");
        table.add("CPU per token / direct", tenths(ratios.cpuToDirect()), "-");
        return table;
    }

    private static String goal(double ratio, double most) {
        return "at most " + whole(most) + (ratio <= most ? "" : ", missed");
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
