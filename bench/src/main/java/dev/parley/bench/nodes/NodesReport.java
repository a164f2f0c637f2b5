package dev.parley.bench.nodes;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Sides;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** All windows of a run, with medians over the rounds and ratios taken within each round. */
record NodesReport(Machine machine, NodesBench.Plan plan, List<Window> windows) implements Scenario.Report {
    /**
     * One window of one cluster.
     *
     * @param post the times from a message's due time to its acknowledgement
     * @param delivery the times from a message's due time to its arrival at a viewer
     */
    record Window(
            int nodes,
            int round,
            double seconds,
            long messages,
            long deliveries,
            long failures,
            @Nullable String firstFailure,
            CpuUse.Each perMessage,
            CpuUse.Each perDelivery,
            Latencies post,
            Latencies delivery,
            DiskProbe.Flush flush) {
        double messagesPerSecond() {
            return messages / seconds;
        }

        double deliveriesPerSecond() {
            return deliveries / seconds;
        }
    }

    private Sides<Integer, Window> sides() {
        return new Sides<>(windows, Window::nodes);
    }

    /** The ratios of several nodes to one. */
    private List<Sides.Ratio> ratios() {
        return List.of(
                ratio("CPU per message", each -> each.perMessage().serving()),
                ratio("CPU per message, servers", each -> each.perMessage().servers()),
                ratio("CPU per message, PostgreSQL", each -> each.perMessage().database()),
                ratio("CPU per delivery", each -> each.perDelivery().serving()),
                ratio("delivery p50", each -> each.delivery().p50()),
                ratio("delivery p99", each -> each.delivery().p99()));
    }

    private Sides.Ratio ratio(String name, ToDoubleFunction<Window> figure) {
        return sides().ratio(name, plan.nodes(), 1, figure, null);
    }

    private double median(int nodes, ToDoubleFunction<Window> figure) {
        return sides().median(nodes, figure);
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratios", ratios());
    }

    @Override
    public boolean holds() {
        return windows.stream().allMatch(window -> window.failures() == 0);
    }

    @Override
    public String text() {
        return """
                %s
                the same load on one node and on %d (%s between them), each on a PostgreSQL of its own: %d messages/s over %d
                threads with %d viewers each, %d rounds of %d s, medians of the rounds; fdatasync p50 %.0f µs. Times are
                from when a message was due.

                %s
                %s""".formatted(
                        machine,
                        plan.nodes(),
                        plan.bus().words(),
                        plan.rate(),
                        plan.threads(),
                        plan.viewers(),
                        plan.rounds(),
                        plan.window().toSeconds(),
                        Figures.median(windows.stream()
                                .map(window -> (double) window.flush().p50Micros())
                                .toList()),
                        costs(),
                        Sides.Ratio.columns(plan.nodes() + " nodes / 1 node").of(ratios()));
    }

    private Table costs() {
        return new Columns<Integer>()
                .add("nodes", nodes -> nodes)
                .whole("messages/s", nodes -> median(nodes, Window::messagesPerSecond))
                .whole("deliveries/s", nodes -> median(nodes, Window::deliveriesPerSecond))
                .whole(
                        "servers µs a message",
                        nodes -> median(nodes, each -> each.perMessage().servers()))
                .whole(
                        "PostgreSQL µs",
                        nodes -> median(nodes, each -> each.perMessage().database()))
                .whole(
                        "Redis µs",
                        nodes -> median(nodes, each -> each.perMessage().redis()))
                .whole(
                        "all µs",
                        nodes -> median(nodes, each -> each.perMessage().serving()))
                .whole(
                        "all µs a delivery",
                        nodes -> median(nodes, each -> each.perDelivery().serving()))
                .whole(
                        "client µs a message",
                        nodes -> median(nodes, each -> each.perMessage().load()))
                .tenths(
                        "post p50 ms",
                        nodes -> median(nodes, each -> each.post().p50()))
                .tenths("p99", nodes -> median(nodes, each -> each.post().p99()))
                .tenths(
                        "delivery p50 ms",
                        nodes -> median(nodes, each -> each.delivery().p50()))
                .tenths("p99", nodes -> median(nodes, each -> each.delivery().p99()))
                .of(List.of(1, plan.nodes()));
    }
}
