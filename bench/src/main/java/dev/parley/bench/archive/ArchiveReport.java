package dev.parley.bench.archive;

import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What each command took.
 *
 * @param archiveBytes how large the folder is
 * @param different the tables that are not the same in both databases
 */
record ArchiveReport(
        Machine machine, ArchivePlan plan, long rows, long archiveBytes, List<Step> steps, List<String> different) {
    private static final double MEGABYTE = 1024 * 1024;
    /** What a JVM's own bookkeeping may take meanwhile. */
    private static final double MAX_GROWTH = 1.25;
    /** In less time a JVM is still getting going. */
    private static final double MIN_SECONDS = 20;

    /**
     * One command.
     *
     * @param residentBytes the most that its process held in each quarter of its time
     */
    record Step(String name, int status, double seconds, List<Long> residentBytes) {
        /** From the second quarter to the last: in the first one, a JVM has yet to get going. */
        double growth() {
            return (double) residentBytes.getLast() / residentBytes.get(1);
        }

        boolean isMeasured() {
            return residentBytes.size() > 1;
        }

        /** What nobody has measured is not said to be flat. */
        boolean holds() {
            return status == 0 && (seconds < MIN_SECONDS || isMeasured() && growth() <= MAX_GROWTH);
        }
    }

    /** Whether the same came out, with memory that did not grow. */
    boolean holds() {
        return different.isEmpty() && steps.stream().allMatch(Step::holds);
    }

    String text() {
        Table table = new Table(
                "command", "seconds", "messages/s", "rows/s", "RSS MB 1st", "2nd", "3rd", "4th quarter", "growth");
        for (Step step : steps) {
            List<String> cells = new ArrayList<>(List.of(
                    step.name(),
                    format("%.1f", step.seconds()),
                    format("%,.0f", plan.messages() / step.seconds()),
                    format("%,.0f", rows / step.seconds())));
            for (int i = 0; i < 4; i++) {
                cells.add(
                        i < step.residentBytes().size()
                                ? format("%.0f", step.residentBytes().get(i) / MEGABYTE)
                                : "");
            }
            String growth = step.isMeasured() ? format("%.2f", step.growth()) : "not measured";
            cells.add(growth + (step.holds() ? "" : ", missed"));
            table.add(cells.toArray(String[]::new));
        }
        return "%s%n%,d messages, %,d rows, %.0f MB as files; each command with a heap of %d MB, growth to stay at most %.2f in what takes %.0f s or longer%n%n%s%n%s"
                .formatted(
                        machine,
                        plan.messages(),
                        rows,
                        archiveBytes / MEGABYTE,
                        plan.heapMegabytes(),
                        MAX_GROWTH,
                        MIN_SECONDS,
                        table,
                        different.isEmpty()
                                ? "every table has the same rows in both databases"
                                : "not the same in both databases: " + String.join(", ", different));
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
