package dev.parley.bench.sessions;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench sessions}: fails if a message of a long session costs more than one of a short session. */
public final class SessionsCommand {
    public static final String FLAGS = """
                --messages 100000    messages of the long session; the short one has 100
                --window 200         messages that are appended to each of them in turn
                --rounds 5           how often
                --warm-up 1000       messages in other sessions before
                --json FILE          where the figures are saved (target/bench/sessions.json)
            """;

    private static final Set<String> NAMES = Set.of("messages", "window", "rounds", "warm-up", "json");
    private static final int FEW = 100;

    private SessionsCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        SessionsPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            SessionsReport report = new SessionsBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratio()), plan.json());
            out.println("saved as " + plan.json());
            return report.ratio().holds() ? 0 : 1;
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        }
    }

    private static SessionsPlan plan(Flags flags) {
        return new SessionsPlan(
                flags.number("messages", 100_000, FEW, 10_000_000),
                FEW,
                flags.number("window", 200, 1, 10_000),
                flags.number("rounds", 5, 1, 100),
                flags.number("warm-up", 1_000, 0, 100_000),
                flags.path("json", Path.of("target", "bench", "sessions.json")));
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(SessionsReport report, SessionsReport.Ratio ratio) {}
}
