package dev.parley.bench.turns;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench turns}: fails if late turns cost more than early ones. */
public final class TurnsCommand {
    public static final String FLAGS = """
                --turns 400          turns of a conversation
                --window 20          turns that are averaged, at the beginning and at the end
                --rounds 3           conversations, one after the other
                --warm-up 400        turns in other threads before
                --json FILE          where the figures are saved (target/bench/turns.json)
            """;

    private static final Set<String> NAMES = Set.of("turns", "window", "rounds", "warm-up", "json");
    private static final int SKIPPED = 5;

    private TurnsCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        TurnsPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            TurnsReport report = new TurnsBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratio()), plan.json());
            out.println("saved as " + plan.json());
            return report.ratio().holds() ? 0 : 1;
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        }
    }

    private static TurnsPlan plan(Flags flags) {
        TurnsPlan plan = new TurnsPlan(
                flags.number("turns", 400, 10, 100_000),
                flags.number("window", 20, 1, 1_000),
                SKIPPED,
                flags.number("warm-up", 400, 0, 100_000),
                flags.number("rounds", 3, 1, 100),
                flags.path("json", Path.of("target", "bench", "turns.json")));
        if (plan.turns() < plan.skipped() + 2 * plan.window()) {
            throw new UsageException("--turns has to leave room for two windows.");
        }
        return plan;
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(TurnsReport report, TurnsReport.Ratio ratio) {}
}
