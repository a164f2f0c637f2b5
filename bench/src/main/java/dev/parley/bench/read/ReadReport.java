package dev.parley.bench.read;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.List;

/** The buffers that each route touches for small data and for large data. */
record ReadReport(Machine machine, ReadBench.Plan plan, List<Row> rows) implements Scenario.Report {
    private static final double MAX_RATIO = 1.5;

    /**
     * Buffers per request.
     *
     * @param bounded true if the ratio is promised to stay small
     */
    record Row(String route, double small, double large, double statements, boolean bounded) {
        double ratio() {
            return large / small;
        }

        boolean holds() {
            return !bounded || ratio() <= MAX_RATIO;
        }
    }

    @Override
    public boolean holds() {
        return rows.stream().allMatch(Row::holds);
    }

    @Override
    public String text() {
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
        return new Columns<Row>()
                .add("route", Row::route)
                .add("statements", row -> Figures.format("%.0f", row.statements()))
                .tenths("small", Row::small)
                .tenths("large", Row::large)
                .hundredths("ratio", Row::ratio)
                .add("to reach", row -> row.bounded() ? Figures.bound(row.ratio(), MAX_RATIO) : "-")
                .of(rows);
    }
}
