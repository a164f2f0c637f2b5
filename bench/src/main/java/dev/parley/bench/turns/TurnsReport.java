package dev.parley.bench.turns;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the windows of all conversations came to. */
record TurnsReport(Machine machine, TurnsPlan plan, List<Window> windows) {
    private static final double MAX_RATIO = 1.1;

    /**
     * Some turns of one conversation after the other; figures are per turn.
     *
     * @param first the number of the first one, from 1
     */
    record Window(int round, int first, int last, double serverMicros, double databaseMicros, double walBytes) {
        double cpuMicros() {
            return serverMicros + databaseMicros;
        }
    }

    /** The last windows to the first ones, over all rounds. */
    record Ratio(double cpu, double walBytes) {
        boolean holds() {
            return cpu <= MAX_RATIO && walBytes <= MAX_RATIO;
        }
    }

    Ratio ratio() {
        return new Ratio(
                mean(true, Window::cpuMicros) / mean(false, Window::cpuMicros),
                mean(true, Window::walBytes) / mean(false, Window::walBytes));
    }

    private double mean(boolean late, ToDoubleFunction<Window> figure) {
        return windows.stream()
                .filter(window -> late ? window.last() == plan.turns() : window.first() == plan.skipped() + 1)
                .mapToDouble(figure)
                .average()
                .orElseThrow();
    }

    String text() {
        Table table = new Table("turns", "server µs", "PostgreSQL µs", "CPU µs", "WAL bytes");
        for (Window window : windows) {
            table.add(
                    "round " + window.round() + ", " + window.first() + "–" + window.last(),
                    whole(window.serverMicros()),
                    whole(window.databaseMicros()),
                    whole(window.cpuMicros()),
                    whole(window.walBytes()));
        }
        Ratio ratio = ratio();
        Table ratios = new Table("last " + plan.window() + " turns / first", "ratio", "to reach");
        ratios.add("CPU per turn", hundredths(ratio.cpu()), goal(ratio.cpu()));
        ratios.add("WAL bytes per turn", hundredths(ratio.walBytes()), goal(ratio.walBytes()));
        return """
                %s
                a turn: a short question over HTTP, the demo agent's answer followed to its end; server and PostgreSQL
                together, with all that they do beside it; %d turns, the first %d not counted, %d conversations

                %s
                %s""".formatted(machine, plan.turns(), plan.skipped(), plan.rounds(), table, ratios);
    }

    private static String goal(double ratio) {
        return "at most " + MAX_RATIO + (ratio <= MAX_RATIO ? "" : ", missed");
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
