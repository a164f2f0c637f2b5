package dev.parley.bench.append;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All windows of a run, and what they come to: medians over the rounds, ratios taken within each round. */
record AppendReport(Machine machine, String postgres, AppendPlan plan, List<Measured> windows) {
    /** A ratio of two scenarios: the median over the rounds, and the extremes. */
    record Ratio(String name, double median, double least, double most, String target) {}

    List<String> scenarios() {
        return windows.stream().map(Measured::scenario).distinct().toList();
    }

    List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (int connections : plan.connections()) {
            ratios.add(ratio(AppendBench.EVEN, AppendBench.bare(connections), "at least 1.0, goal 1.5"));
        }
        int first = plan.connections().getFirst();
        if (of(AppendBench.pgbench(plan.writers())).count() == plan.rounds()) {
            ratios.add(ratio(AppendBench.EVEN, AppendBench.pgbench(plan.writers()), "at least 1.0, goal 1.5"));
        }
        ratios.add(ratio(AppendBench.EVEN, AppendBench.transaction(first), "-"));
        ratios.add(ratio(AppendBench.HOT, AppendBench.EVEN, "at least 0.8"));
        return ratios;
    }

    private Ratio ratio(String above, String below, String target) {
        List<Double> each = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            each.add(window(above, round).perSecond() / window(below, round).perSecond());
        }
        each.sort(null);
        return new Ratio(above + " / " + below, median(each), each.getFirst(), each.getLast(), target);
    }

    private Measured window(String scenario, int round) {
        return windows.stream()
                .filter(window -> window.scenario().equals(scenario) && window.round() == round)
                .findFirst()
                .orElseThrow();
    }

    private static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private double median(String scenario, ToDoubleFunction<Measured> value) {
        return median(of(scenario).mapToDouble(value).sorted().boxed().toList());
    }

    private Stream<Measured> of(String scenario) {
        return windows.stream().filter(window -> window.scenario().equals(scenario));
    }

    /** The tables that the command prints. */
    String text() {
        return "%s%nPostgreSQL %s, %s%n%n%s%n%s%n%s"
                .formatted(machine, postgres, conditions(), scenarioTable(), ratioTable(), costLine());
    }

    private String conditions() {
        double flush = median(windows.stream()
                .mapToDouble(window -> window.flush().p50Micros())
                .sorted()
                .boxed()
                .toList());
        return String.format(
                Locale.ROOT,
                "fdatasync p50 %.0f µs; %d writers, %d threads, %d bytes of content, %d rounds of %d s, %s; medians of the rounds",
                flush,
                plan.writers(),
                plan.threads(),
                plan.contentBytes(),
                plan.rounds(),
                plan.window().toSeconds(),
                plan.checkpoint() ? "a checkpoint in each" : "checkpoints as they come");
    }

    private Table scenarioTable() {
        Table table = new Table(
                "scenario",
                "messages/s",
                "least",
                "most",
                "server µs",
                "PostgreSQL µs",
                "both µs",
                "client µs",
                "p50 ms",
                "p99 ms",
                "failed");
        for (String scenario : scenarios()) {
            table.add(
                    scenario,
                    whole(median(scenario, Measured::perSecond)),
                    whole(of(scenario).mapToDouble(Measured::perSecond).min().orElse(0)),
                    whole(of(scenario).mapToDouble(Measured::perSecond).max().orElse(0)),
                    whole(median(scenario, Measured::serverMicros)),
                    whole(median(scenario, Measured::postgresMicros)),
                    whole(median(scenario, Measured::servingMicros)),
                    optional(scenario, Measured::clientMicros),
                    optional(scenario, Measured::p50Millis),
                    optional(scenario, Measured::p99Millis),
                    Long.toString(of(scenario).mapToLong(Measured::failures).sum()));
        }
        return table;
    }

    private Table ratioTable() {
        Table table = new Table("ratio", "median", "least", "most", "to reach");
        for (Ratio ratio : ratios()) {
            table.add(
                    ratio.name(),
                    hundredths(ratio.median()),
                    hundredths(ratio.least()),
                    hundredths(ratio.most()),
                    ratio.target());
        }
        return table;
    }

    private String costLine() {
        return String.format(
                Locale.ROOT,
                "CPU per message of server and PostgreSQL, even: %.0f µs (at most 200, goal 150)",
                median(AppendBench.EVEN, Measured::servingMicros));
    }

    /** A value of a window that not every load has. */
    private interface Part {
        @Nullable
        Double of(Measured window);
    }

    private String optional(String scenario, Part part) {
        List<Double> values = of(scenario)
                .map(part::of)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .sorted()
                .toList();
        return values.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f", median(values));
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
