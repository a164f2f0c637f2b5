package dev.parley.bench.append;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Sides;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All windows of a run, with medians over the rounds and ratios taken within each round. */
record AppendReport(Machine machine, String postgres, AppendBench.Plan plan, List<Window> windows)
        implements Scenario.Report {
    /**
     * One window of one load.
     *
     * @param serverMicros CPU time of the server for each message
     * @param clientMicros CPU time of the load generator for each message; null if the generator is another program
     * @param flush the cost of a durable write just before the window
     */
    record Window(
            String scenario,
            int round,
            double seconds,
            long messages,
            long failures,
            @Nullable String firstFailure,
            double serverMicros,
            double postgresMicros,
            @Nullable Double clientMicros,
            @Nullable Double p50Millis,
            @Nullable Double p99Millis,
            DiskProbe.Flush flush) {
        double perSecond() {
            return messages / seconds;
        }

        /** The CPU time that the server and PostgreSQL together spend on one message. */
        double servingMicros() {
            return serverMicros + postgresMicros;
        }
    }

    List<String> scenarios() {
        return windows.stream().map(Window::scenario).distinct().toList();
    }

    private Sides<String, Window> sides() {
        return new Sides<>(windows, Window::scenario);
    }

    private List<Sides.Ratio> ratios() {
        List<Sides.Ratio> ratios = new ArrayList<>();
        for (int connections : plan.connections()) {
            ratios.add(ratio(AppendBench.EVEN, AppendBench.bare(connections), "at least 1.0, goal 1.5"));
        }
        int first = plan.connections().getFirst();
        if (sides().of(AppendBench.pgbench(plan.writers())).count() == plan.rounds()) {
            ratios.add(ratio(AppendBench.EVEN, AppendBench.pgbench(plan.writers()), "at least 1.0, goal 1.5"));
        }
        ratios.add(ratio(AppendBench.EVEN, AppendBench.transaction(first), "-"));
        ratios.add(ratio(AppendBench.HOT, AppendBench.EVEN, "at least 0.8"));
        return ratios;
    }

    private Sides.Ratio ratio(String above, String below, String target) {
        return sides().ratio(above + " / " + below, above, below, Window::perSecond, target);
    }

    private double median(String scenario, ToDoubleFunction<Window> value) {
        return sides().median(scenario, value);
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratios", ratios());
    }

    @Override
    public String text() {
        Table ratioTable = Sides.Ratio.columns("ratio")
                .add("to reach", ratio -> String.valueOf(ratio.target()))
                .of(ratios());
        return "%s%nPostgreSQL %s, %s%n%n%s%n%s%n%s"
                .formatted(machine, postgres, conditions(), scenarioTable(), ratioTable, costLine());
    }

    private String conditions() {
        return String.format(
                Locale.ROOT,
                "fdatasync p50 %.0f µs; %d writers, %d threads, %d bytes of content, %d rounds of %d s, %s; medians of the rounds",
                Figures.median(windows.stream()
                        .map(window -> (double) window.flush().p50Micros())
                        .toList()),
                plan.writers(),
                plan.threads(),
                plan.contentBytes(),
                plan.rounds(),
                plan.window().toSeconds(),
                plan.checkpoint() ? "a checkpoint in each" : "checkpoints as they come");
    }

    private Table scenarioTable() {
        return new Columns<String>()
                .add("scenario", scenario -> scenario)
                .whole("messages/s", scenario -> median(scenario, Window::perSecond))
                .whole("least", scenario -> Collections.min(sides().each(scenario, Window::perSecond)))
                .whole("most", scenario -> Collections.max(sides().each(scenario, Window::perSecond)))
                .whole("server µs", scenario -> median(scenario, Window::serverMicros))
                .whole("PostgreSQL µs", scenario -> median(scenario, Window::postgresMicros))
                .whole("both µs", scenario -> median(scenario, Window::servingMicros))
                .add("client µs", scenario -> optional(scenario, Window::clientMicros))
                .add("p50 ms", scenario -> optional(scenario, Window::p50Millis))
                .add("p99 ms", scenario -> optional(scenario, Window::p99Millis))
                .add(
                        "failed",
                        scenario ->
                                sides().of(scenario).mapToLong(Window::failures).sum())
                .of(scenarios());
    }

    private String costLine() {
        return Figures.format(
                "CPU per message of server and PostgreSQL, even: %.0f µs (at most 200, goal 150)",
                median(AppendBench.EVEN, Window::servingMicros));
    }

    /** The median of a figure that some loads lack. */
    private String optional(String scenario, Function<Window, @Nullable Double> value) {
        List<Double> values = sides().of(scenario)
                .flatMap(window -> Stream.ofNullable(value.apply(window)))
                .toList();
        return values.isEmpty() ? "-" : Figures.format("%.1f", Figures.median(values));
    }
}
