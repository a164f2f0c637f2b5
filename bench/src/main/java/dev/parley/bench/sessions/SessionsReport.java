package dev.parley.bench.sessions;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the windows of both sessions came to. */
record SessionsReport(Machine machine, SessionsPlan plan, List<Window> windows) {
    private static final double MAX_RATIO = 1.2;

    /**
     * Some messages, one after the other; figures are per message.
     *
     * @param before how many the session had
     */
    record Window(int round, boolean isLong, int before, double serverMicros, double databaseMicros, double walBytes) {
        double cpuMicros() {
            return serverMicros + databaseMicros;
        }
    }

    /** The long session to the short one. */
    record Ratio(double cpu, double walBytes) {
        boolean holds() {
            return cpu <= MAX_RATIO;
        }
    }

    Ratio ratio() {
        return new Ratio(
                middle(true, Window::cpuMicros) / middle(false, Window::cpuMicros),
                middle(true, Window::walBytes) / middle(false, Window::walBytes));
    }

    /** The middle one of a session's windows: a checkpoint falls into one of them now and then. */
    private double middle(boolean isLong, ToDoubleFunction<Window> figure) {
        double[] figures = windows.stream()
                .filter(window -> window.isLong() == isLong)
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return figures[figures.length / 2];
    }

    String text() {
        Table table = new Table("messages before", "server µs", "PostgreSQL µs", "CPU µs", "WAL bytes");
        for (Window window : windows) {
            table.add(
                    "round " + window.round() + ", " + window.before(),
                    whole(window.serverMicros()),
                    whole(window.databaseMicros()),
                    whole(window.cpuMicros()),
                    whole(window.walBytes()));
        }
        Ratio ratio = ratio();
        Table ratios = new Table("long session / short one", "ratio", "to reach");
        ratios.add(
                "CPU per message", hundredths(ratio.cpu()), "at most " + MAX_RATIO + (ratio.holds() ? "" : ", missed"));
        ratios.add("WAL bytes per message", hundredths(ratio.walBytes()), "");
        return """
                %s
                one chat event after the other over HTTP, each with its message of half a kilobyte; server and PostgreSQL
                together; windows of %d, in turn

                %s
                %s""".formatted(machine, plan.window(), table, ratios);
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
