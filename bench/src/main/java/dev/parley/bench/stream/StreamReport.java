package dev.parley.bench.stream;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Sides;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** All windows of a run, with their medians and ratios. */
record StreamReport(Machine machine, StreamBench.Plan plan, DiskProbe.Flush flush, List<Window> windows)
        implements Scenario.Report {
    private static final double MAX_P50_RATIO = 3;
    private static final double MAX_P99_RATIO = 10;
    private static final String PARLEY = StreamPeer.PARLEY;
    private static final String DIRECT = StreamPeer.DIRECT;

    /**
     * One window of one peer.
     *
     * @param tokens the number of tokens that viewers got
     * @param serverMicros the server's CPU time per token
     * @param databaseMicros the database's CPU time per token
     * @param clientMicros the load generator's CPU time per token
     */
    record Window(
            String peer,
            int round,
            double seconds,
            long tokens,
            Times latency,
            Times commit,
            double serverMicros,
            double databaseMicros,
            double clientMicros) {
        double tokensPerSecond() {
            return tokens / seconds;
        }

        double servingMicros() {
            return serverMicros + databaseMicros;
        }

        /** Percentiles in microseconds. */
        record Times(long count, long p50, long p99, long p999) {
            static Times of(Histogram micros) {
                return new Times(
                        micros.getTotalCount(),
                        micros.getValueAtPercentile(50),
                        micros.getValueAtPercentile(99),
                        micros.getValueAtPercentile(99.9));
            }
        }
    }

    /**
     * The medians of the ratios over all rounds. A token's time is divided by the median commit of the same window, and
     * by a token's time at the peer that stores nothing.
     */
    record Ratios(double p50ToCommit, double p99ToCommit, double p50ToDirect, double p99ToDirect, double cpuToDirect) {}

    Ratios ratios() {
        return new Ratios(
                toCommit(window -> window.latency().p50()),
                toCommit(window -> window.latency().p99()),
                toDirect(window -> window.latency().p50()),
                toDirect(window -> window.latency().p99()),
                toDirect(Window::servingMicros));
    }

    private double toCommit(ToDoubleFunction<Window> figure) {
        return median(
                PARLEY, window -> figure.applyAsDouble(window) / window.commit().p50());
    }

    private double toDirect(ToDoubleFunction<Window> figure) {
        return median(PARLEY, figure) / median(DIRECT, figure);
    }

    private double median(String peer, ToDoubleFunction<Window> figure) {
        return new Sides<>(windows, Window::peer).median(peer, figure);
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratios", ratios());
    }

    @Override
    public boolean holds() {
        return ratios().p50ToCommit() <= MAX_P50_RATIO && ratios().p99ToCommit() <= MAX_P99_RATIO;
    }

    @Override
    public String text() {
        return """
                %s
                %d runs at %d tokens/s with a viewer each, %d rounds of %d s, medians of the rounds; a flush of the disk
                alone takes %,d µs (p50), %,d µs (p99)
                A token's time is from when it was due until its viewer has its bytes. It includes the wait for the answer
                to the run's last post, a post over HTTP, the commit (Parley only), the stream, and the delay of the load
                generator itself. A commit is one row, inserted meanwhile by a JDBC connection of its own.

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
        return new Columns<String>()
                .add("peer", peer -> peer)
                .whole("tokens/s", peer -> median(peer, Window::tokensPerSecond))
                .whole("p50 µs", peer -> median(peer, each -> each.latency().p50()))
                .whole("p99 µs", peer -> median(peer, each -> each.latency().p99()))
                .whole("p999 µs", peer -> median(peer, each -> each.latency().p999()))
                .whole(
                        "commit p50 µs",
                        peer -> median(peer, each -> each.commit().p50()))
                .whole(
                        "commit p99 µs",
                        peer -> median(peer, each -> each.commit().p99()))
                .whole("server CPU µs", peer -> median(peer, Window::serverMicros))
                .whole("PostgreSQL CPU µs", peer -> median(peer, Window::databaseMicros))
                .whole("client CPU µs", peer -> median(peer, Window::clientMicros))
                .of(List.of(PARLEY, DIRECT));
    }

    private Table goals() {
        Ratios ratios = ratios();
        Table table = new Table("Parley", "ratio", "to reach");
        add(table, "p50 / commit p50", ratios.p50ToCommit(), Figures.bound(ratios.p50ToCommit(), MAX_P50_RATIO));
        add(table, "p99 / commit p50", ratios.p99ToCommit(), Figures.bound(ratios.p99ToCommit(), MAX_P99_RATIO));
        add(table, "p50 / direct", ratios.p50ToDirect(), "-");
        add(table, "p99 / direct", ratios.p99ToDirect(), "-");
        add(table, "CPU per token / direct", ratios.cpuToDirect(), "-");
        return table;
    }

    private static void add(Table table, String name, double ratio, String goal) {
        table.add(name, Figures.tenths(ratio), goal);
    }
}
