package dev.parley.bench.read;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench read}: fails if a bounded route grows with what it reads from. */
public final class ReadCommand {
    public static final String FLAGS = """
                --messages 1000000   messages of the large thread, and of all the busy user's threads together
                --threads 10000      threads of the busy user
                --requests 50        how often each route is called
                --json FILE          where the figures are saved (target/bench/read.json)
            """;

    private static final int SMALL_MESSAGES = 1_000;
    private static final int SMALL_THREADS = 100;

    private static final Set<String> NAMES = Set.of("messages", "threads", "requests", "json");

    private ReadCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        ReadPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            ReadReport report = new ReadBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(report, plan.json());
            out.println("saved as " + plan.json());
            return report.holds() ? 0 : 1;
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        }
    }

    private static ReadPlan plan(Flags flags) {
        return new ReadPlan(
                flags.number("messages", 1_000_000, SMALL_MESSAGES, 100_000_000),
                SMALL_MESSAGES,
                flags.number("threads", 10_000, SMALL_THREADS, 1_000_000),
                SMALL_THREADS,
                flags.number("requests", 50, 10, 10_000),
                flags.path("json", Path.of("target", "bench", "read.json")));
    }
}
