package dev.parley.bench.turn;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The measured windows of all rounds. For each kind, the table shows the round with the median CPU time. */
record TurnReport(Machine machine, TurnBench.Plan plan, List<Window> windows) implements Scenario.Report {
    private static final double MAX_GROWTH = 1.1;

    /**
     * The turns of one kind in one round.
     *
     * @param kind the age of the JVM, and the position in the conversation or the number of conversations
     * @param statements the number of PostgreSQL statements for one turn
     */
    record Window(
            String agent,
            String kind,
            int round,
            @JsonUnwrapped OperationCost cost,
            double statements,
            double turnsPerSecond,
            Latencies millis) {}

    /** Late turns of the demo agent to its early ones, over all rounds: a conversation must not become more expensive. */
    OperationCost.Ratio growth() {
        return OperationCost.Ratio.of(figure -> mean(plan.lateTurns(), figure) / mean(plan.early(), figure));
    }

    private double mean(String turns, ToDoubleFunction<OperationCost> figure) {
        return windows.stream()
                .filter(window -> window.agent().equals("demo") && window.kind().equals(TurnBench.kind("warm", turns)))
                .map(Window::cost)
                .mapToDouble(figure)
                .average()
                .orElseThrow();
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("growth", growth());
    }

    @Override
    public boolean holds() {
        return growth().cpu() <= MAX_GROWTH && growth().walBytes() <= MAX_GROWTH;
    }

    private List<Window> medians() {
        Map<String, List<Window>> kinds = new LinkedHashMap<>();
        windows.forEach(window -> kinds.computeIfAbsent(window.agent() + window.kind(), kind -> new ArrayList<>())
                .add(window));
        return kinds.values().stream()
                .map(rounds -> rounds.stream()
                        .sorted(Comparator.comparingDouble(
                                window -> window.cost().cpuMicros()))
                        .toList()
                        .get(rounds.size() / 2))
                .toList();
    }

    @Override
    public String text() {
        Columns<Window> columns =
                OperationCost.columns("a turn", window -> window.agent() + ", " + window.kind(), Window::cost);
        Table table = columns.tenths("statements", Window::statements)
                .whole("turns/s", Window::turnsPerSecond)
                .tenths("p50 ms", window -> window.millis().p50())
                .tenths("p99 ms", window -> window.millis().p99())
                .of(medians());
        return """
                %s
                a turn: a short question over HTTP, and the answer followed to its end; server and PostgreSQL with all
                that they do beside it; statements as pg_stat_statements counts them; medians of %d rounds

                %s
                %s""".formatted(machine, plan.rounds(), table, ratios());
    }

    private Table ratios() {
        Table ratios =
                new Table("turns " + plan.lateTurns() + " / " + plan.early() + ", demo, warm", "ratio", "to reach");
        add(ratios, "CPU per turn", growth().cpu());
        add(ratios, "WAL bytes per turn", growth().walBytes());
        return ratios;
    }

    private static void add(Table ratios, String name, double ratio) {
        ratios.add(name, Figures.hundredths(ratio), Figures.bound(ratio, MAX_GROWTH));
    }
}
