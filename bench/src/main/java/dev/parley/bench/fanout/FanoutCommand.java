package dev.parley.bench.fanout;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench fanout}. */
public final class FanoutCommand {
    public static final String FLAGS = """
                --viewers 1000       viewers of the one thread
                --threads 1000       threads with two viewers each
                --rate 20            posts a second to the one thread
                --spread-rate 500    posts a second to all of the threads together
                --content-bytes 200  length of a message
                --seconds 10         length of each measured window
                --rounds 3           how often each peer has its turn
                --warm-up 20         seconds that each peer runs before it is measured
                --json FILE          where the figures are saved (target/bench/fanout.json)
            """;

    private static final Set<String> NAMES = Set.of(
            "viewers", "threads", "rate", "spread-rate", "content-bytes", "seconds", "rounds", "warm-up", "json");

    private FanoutCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        FanoutPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            FanoutReport report = new FanoutBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratios()), plan.json());
            out.println("saved as " + plan.json());
            return 0;
        } catch (IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static FanoutPlan plan(Flags flags) {
        return new FanoutPlan(
                flags.number("viewers", 1_000, 1, 10_000),
                flags.number("threads", 1_000, 1, 5_000),
                flags.number("rate", 20, 1, 10_000),
                flags.number("spread-rate", 500, 1, 10_000),
                flags.number("content-bytes", 200, 1, 5_000),
                Duration.ofSeconds(flags.number("seconds", 10, 1, 3_600)),
                flags.number("rounds", 3, 1, 100),
                Duration.ofSeconds(flags.number("warm-up", 20, 0, 3_600)),
                flags.path("json", Path.of("target", "bench", "fanout.json")));
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(FanoutReport report, List<FanoutReport.Ratio> ratios) {}
}
