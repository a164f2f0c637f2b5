package dev.parley.bench.sessions;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The windows of both sessions, and the ratio of the long one to the short one. */
record SessionsReport(Machine machine, SessionsBench.Plan plan, List<Window> windows) implements Scenario.Report {
    private static final double MAX_RATIO = 1.2;

    /**
     * One window of messages that were posted one after the other.
     *
     * @param before the number of earlier messages in the session
     */
    record Window(
            int round,
            boolean isLong,
            int before,
            @JsonUnwrapped OperationCost cost) {}

    /** The ratio of the long session to the short one. */
    OperationCost.Ratio ratio() {
        return OperationCost.Ratio.of(figure -> middle(true, figure) / middle(false, figure));
    }

    /** The median of a session's windows, because now and then a checkpoint falls into a window. */
    private double middle(boolean isLong, ToDoubleFunction<OperationCost> figure) {
        double[] figures = windows.stream()
                .filter(window -> window.isLong() == isLong)
                .map(Window::cost)
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return figures[figures.length / 2];
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratio", ratio());
    }

    @Override
    public boolean holds() {
        return ratio().cpu() <= MAX_RATIO;
    }

    @Override
    public String text() {
        Table table = OperationCost.<Window>columns(
                        "messages before", window -> "round " + window.round() + ", " + window.before(), Window::cost)
                .of(windows);
        Table ratios = new Table("long session / short one", "ratio", "to reach");
        ratios.add("CPU per message", Figures.hundredths(ratio().cpu()), Figures.bound(ratio().cpu(), MAX_RATIO));
        ratios.add("WAL bytes per message", Figures.hundredths(ratio().walBytes()), "");
        return """
                %s
                one chat event after the other over HTTP, each with its message of half a kilobyte; server and PostgreSQL
                together; windows of %d, in turn

                %s
                %s""".formatted(machine, plan.window(), table, ratios);
    }
}
