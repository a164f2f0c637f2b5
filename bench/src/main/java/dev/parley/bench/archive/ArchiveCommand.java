package dev.parley.bench.archive;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench archive}: fails if what comes out is not what went in, or if memory grows with it. */
public final class ArchiveCommand {
    public static final String FLAGS = """
                --messages 1000000   messages in all, a quarter of them in one thread
                --per-thread 100     messages of each other thread
                --heap 64            greatest heap of each command, in megabytes
                --json FILE          where the figures are saved (target/bench/archive.json)
            """;

    private static final Set<String> NAMES = Set.of("messages", "per-thread", "heap", "json");

    private ArchiveCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        ArchivePlan plan = new ArchivePlan(
                flags.number("messages", 1_000_000, 1_000, 100_000_000),
                flags.number("per-thread", 100, 1, 1_000_000),
                flags.number("heap", 64, 32, 16_384),
                flags.path("json", Path.of("target", "bench", "archive.json")));
        try {
            ArchiveReport report = new ArchiveBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(report, plan.json());
            out.println("saved as " + plan.json());
            return report.holds() ? 0 : 1;
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted", interrupted);
        }
    }
}
