package dev.parley.bench.turns;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The windows of all conversations, and the ratio of the last ones to the first ones. */
record TurnsReport(Machine machine, TurnsBench.Plan plan, List<Window> windows) implements Scenario.Report {
    private static final double MAX_RATIO = 1.1;

    /**
     * One window of consecutive turns of one conversation.
     *
     * @param first the number of the first turn, from 1
     */
    record Window(
            int round, int first, int last, @JsonUnwrapped OperationCost cost) {}

    /** The ratio of the last windows to the first ones, over all rounds. */
    OperationCost.Ratio ratio() {
        return OperationCost.Ratio.of(figure -> mean(true, figure) / mean(false, figure));
    }

    private double mean(boolean late, ToDoubleFunction<OperationCost> figure) {
        return windows.stream()
                .filter(window -> late ? window.last() == plan.turns() : window.first() == plan.skipped() + 1)
                .map(Window::cost)
                .mapToDouble(figure)
                .average()
                .orElseThrow();
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratio", ratio());
    }

    @Override
    public boolean holds() {
        return ratio().cpu() <= MAX_RATIO && ratio().walBytes() <= MAX_RATIO;
    }

    @Override
    public String text() {
        Table table = OperationCost.<Window>columns(
                        "turns",
                        window -> "round " + window.round() + ", " + window.first() + "–" + window.last(),
                        Window::cost)
                .of(windows);
        Table ratios = new Table("last " + plan.window() + " turns / first", "ratio", "to reach");
        add(ratios, "CPU per turn", ratio().cpu());
        add(ratios, "WAL bytes per turn", ratio().walBytes());
        return """
                %s
                a turn: a short question over HTTP, the demo agent's answer followed to its end; server and PostgreSQL
                together, with their background work; %d turns, the first %d not counted, %d conversations

                %s
                %s""".formatted(machine, plan.turns(), plan.skipped(), plan.rounds(), table, ratios);
    }

    private static void add(Table ratios, String name, double ratio) {
        ratios.add(name, Figures.hundredths(ratio), Figures.bound(ratio, MAX_RATIO));
    }
}
