package dev.parley.bench.nodes;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** All windows of a run, and what they come to: medians over the rounds, ratios taken within each round. */
record NodesReport(Machine machine, NodesPlan plan, List<Measured> windows) {
    /** Several nodes to one: the median over the rounds, and the extremes. */
    record Ratio(String name, double median, double least, double most) {}

    List<Ratio> ratios() {
        return List.of(
                ratio("CPU per message", each -> each.perMessage().serving()),
                ratio("CPU per message, servers", each -> each.perMessage().servers()),
                ratio("CPU per message, PostgreSQL", each -> each.perMessage().database()),
                ratio("CPU per delivery", each -> each.perDelivery().serving()),
                ratio("delivery p50", each -> each.delivery().p50()),
                ratio("delivery p99", each -> each.delivery().p99()));
    }

    private Ratio ratio(String name, ToDoubleFunction<Measured> figure) {
        List<Double> each = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            each.add(of(plan.nodes(), round, figure) / of(1, round, figure));
        }
        return new Ratio(name, Figures.median(each), Collections.min(each), Collections.max(each));
    }

    private double of(int nodes, int round, ToDoubleFunction<Measured> figure) {
        return windows.stream()
                .filter(window -> window.nodes() == nodes && window.round() == round)
                .mapToDouble(figure)
                .findFirst()
                .orElseThrow();
    }

    private double median(int nodes, ToDoubleFunction<Measured> figure) {
        return Figures.median(windows.stream()
                .filter(window -> window.nodes() == nodes)
                .map(figure::applyAsDouble)
                .toList());
    }

    /** Whether every message was taken. */
    boolean whole() {
        return windows.stream().allMatch(window -> window.failures() == 0);
    }

    String text() {
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
                        ratioTable());
    }

    private Table costs() {
        Table table = new Table(
                "nodes",
                "messages/s",
                "deliveries/s",
                "servers µs a message",
                "PostgreSQL µs",
                "Redis µs",
                "all µs",
                "all µs a delivery",
                "client µs a message",
                "post p50 ms",
                "p99",
                "delivery p50 ms",
                "p99");
        for (int nodes : List.of(1, plan.nodes())) {
            table.add(
                    Integer.toString(nodes),
                    whole(median(nodes, each -> each.messages() / each.seconds())),
                    whole(median(nodes, each -> each.deliveries() / each.seconds())),
                    whole(median(nodes, each -> each.perMessage().servers())),
                    whole(median(nodes, each -> each.perMessage().database())),
                    whole(median(nodes, each -> each.perMessage().redis())),
                    whole(median(nodes, each -> each.perMessage().serving())),
                    whole(median(nodes, each -> each.perDelivery().serving())),
                    whole(median(nodes, each -> each.perMessage().load())),
                    tenths(median(nodes, each -> each.post().p50())),
                    tenths(median(nodes, each -> each.post().p99())),
                    tenths(median(nodes, each -> each.delivery().p50())),
                    tenths(median(nodes, each -> each.delivery().p99())));
        }
        return table;
    }

    private Table ratioTable() {
        Table table = new Table(plan.nodes() + " nodes / 1 node", "median", "least", "most");
        for (Ratio ratio : ratios()) {
            table.add(ratio.name(), hundredths(ratio.median()), hundredths(ratio.least()), hundredths(ratio.most()));
        }
        return table;
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
