package dev.parley.bench.rig;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Function;

/**
 * The skeleton of every scenario of {@code ./parley bench}. It names the machine, measures in an empty folder, closes
 * all parts of the run, prints the tables and saves the figures.
 */
public final class Scenario {
    private Scenario() {}

    /** The parsed flags of one run. */
    public interface Plan {
        /** The file to which the figures are saved. */
        Path json();
    }

    /** The figures of one run. */
    public interface Report {
        /** The tables that the command prints. */
        String text();

        /**
         * Figures derived from the report, by the names under which they are saved beside the report. If the map is
         * empty, the file contains only the report.
         */
        default Map<String, ?> drawn() {
            return Map.of();
        }

        /** True if every promise was kept. */
        default boolean holds() {
            return true;
        }
    }

    /** The part that differs between scenarios. */
    @FunctionalInterface
    public interface Measurement<P> {
        Report measure(P plan, Workbench bench) throws IOException, SQLException, InterruptedException;
    }

    public static <P extends Plan> BenchCommand of(
            String name, String summary, String flags, Function<Flags, P> plan, Measurement<P> measurement) {
        return new BenchCommand(name, summary, flags, (given, out) -> run(name, plan.apply(given), measurement, out));
    }

    private static <P extends Plan> int run(String name, P plan, Measurement<P> measurement, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(Path.of("target", "bench", name));
        Report report;
        try (Cleanup cleanup = new Cleanup()) {
            report = measurement.measure(plan, new Workbench(machine, folder, cleanup, out));
        } finally {
            Folders.delete(folder);
        }
        out.println();
        out.println(report.text());
        Figures.save(report, report.drawn(), plan.json());
        out.println("saved as " + plan.json());
        return report.holds() ? 0 : 1;
    }
}
