package dev.parley.bench.archive;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.List;

/**
 * The time and the memory of each command.
 *
 * @param archiveBytes the size of the archive's folder
 * @param different the tables whose rows differ between the databases
 */
record ArchiveReport(
        Machine machine, ArchiveBench.Plan plan, long rows, long archiveBytes, List<Step> steps, List<String> different)
        implements Scenario.Report {
    private static final double MEGABYTE = 1024 * 1024;
    /** The largest growth that still counts as flat, because a JVM's own bookkeeping may cause it. */
    private static final double MAX_GROWTH = 1.25;
    /** The shortest command whose memory is judged. A shorter command ends before its JVM has warmed up. */
    private static final double MIN_SECONDS = 20;

    /**
     * One command.
     *
     * @param residentBytes the maximum of the command's resident memory in each quarter of its running time
     */
    record Step(String name, int status, double seconds, List<Long> residentBytes) {
        /**
         * The growth from the second quarter to the last. The first quarter does not count, because the JVM is still
         * warming up.
         */
        double growth() {
            return (double) residentBytes.getLast() / residentBytes.get(1);
        }

        boolean isMeasured() {
            return residentBytes.size() > 1;
        }

        /**
         * True if the command succeeded and its memory stayed flat. Memory that was not measured does not count as
         * flat. The memory of a short command is not judged.
         */
        boolean holds() {
            return status == 0 && (seconds < MIN_SECONDS || isMeasured() && growth() <= MAX_GROWTH);
        }

        private String megabytes(int quarter) {
            return quarter < residentBytes.size() ? Figures.format("%.0f", residentBytes.get(quarter) / MEGABYTE) : "";
        }

        private String judged() {
            return (isMeasured() ? Figures.hundredths(growth()) : "not measured") + Figures.missed(holds());
        }
    }

    @Override
    public boolean holds() {
        return different.isEmpty() && steps.stream().allMatch(Step::holds);
    }

    @Override
    public String text() {
        return "%s%n%,d messages, %,d rows, %.0f MB as files; each command with a heap of %d MB, growth at most %.2f in a command of %.0f s or longer%n%n%s%n%s"
                .formatted(
                        machine,
                        plan.messages(),
                        rows,
                        archiveBytes / MEGABYTE,
                        plan.heapMegabytes(),
                        MAX_GROWTH,
                        MIN_SECONDS,
                        table(),
                        different.isEmpty()
                                ? "every table has the same rows in both databases"
                                : "not the same in both databases: " + String.join(", ", different));
    }

    private Table table() {
        return new Columns<Step>()
                .add("command", Step::name)
                .add("seconds", step -> Figures.format("%.1f", step.seconds()))
                .whole("messages/s", step -> plan.messages() / step.seconds())
                .whole("rows/s", step -> rows / step.seconds())
                .add("RSS MB 1st", step -> step.megabytes(0))
                .add("2nd", step -> step.megabytes(1))
                .add("3rd", step -> step.megabytes(2))
                .add("4th quarter", step -> step.megabytes(3))
                .add("growth", Step::judged)
                .of(steps);
    }
}
