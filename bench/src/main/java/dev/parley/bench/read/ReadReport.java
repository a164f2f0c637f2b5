package dev.parley.bench.read;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;

/** What each route touches for something small and for something large. */
record ReadReport(Machine machine, ReadPlan plan, List<Row> rows) {
    private static final double MAX_RATIO = 1.5;

    /**
     * Buffers per request.
     *
     * @param bounded whether the ratio is promised to stay small
     */
    record Row(String route, double small, double large, double statements, boolean bounded) {
        double ratio() {
            return large / small;
        }

        boolean holds() {
            return !bounded || ratio() <= MAX_RATIO;
        }
    }

    /** Whether every promise is kept. */
    boolean holds() {
        return rows.stream().allMatch(Row::holds);
    }

    String text() {
        return "%s%nbuffers touched per request (hit or read), %d requests each; %,d messages against %,d, %,d threads against %,d%n%n%s"
                .formatted(
                        machine,
                        plan.requests(),
                        plan.messages(),
                        plan.smallMessages(),
                        plan.threads(),
                        plan.smallThreads(),
                        table());
    }

    private Table table() {
        Table table = new Table("route", "statements", "small", "large", "ratio", "to reach");
        for (Row row : rows) {
            table.add(
                    row.route(),
                    number("%.0f", row.statements()),
                    number("%,.1f", row.small()),
                    number("%,.1f", row.large()),
                    number("%.2f", row.ratio()),
                    row.bounded() ? "at most " + MAX_RATIO + (row.holds() ? "" : ", missed") : "-");
        }
        return table;
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
