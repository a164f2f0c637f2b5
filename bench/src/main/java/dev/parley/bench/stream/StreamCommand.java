package dev.parley.bench.stream;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench stream}: fails if a token takes too many times as long as a commit. */
public final class StreamCommand {
    public static final String FLAGS = """
                --runs 100           runs at the same time, with one viewer each
                --rate 50            tokens per second and run
                --seconds 10         length of each measured window
                --rounds 3           how often each peer has its turn
                --warm-up 20         seconds that each peer runs before it is measured
                --json FILE          where the figures are saved (target/bench/stream.json)
            """;

    private static final Set<String> NAMES = Set.of("runs", "rate", "seconds", "rounds", "warm-up", "json");

    private StreamCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        StreamPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            StreamReport report = new StreamBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratios()), plan.json());
            out.println("saved as " + plan.json());
            return report.ratios().holds() ? 0 : 1;
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static StreamPlan plan(Flags flags) {
        return new StreamPlan(
                flags.number("runs", 100, 1, 5_000),
                flags.number("rate", 50, 1, 1_000),
                Duration.ofSeconds(flags.number("seconds", 10, 1, 3_600)),
                flags.number("rounds", 3, 1, 100),
                Duration.ofSeconds(flags.number("warm-up", 20, 0, 3_600)),
                flags.path("json", Path.of("target", "bench", "stream.json")));
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(StreamReport report, StreamReport.Ratios ratios) {}
}
