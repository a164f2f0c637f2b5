package dev.parley.bench.runs;

import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code ./parley bench runs}: fails if no rate at all was held. */
public final class RunsCommand {
    public static final String FLAGS = """
                --rate 500           runs due a second
                --reads 500          reads due a second beside them
                --minutes 10         how long the rate has to be held
                --seconds N          the same in seconds
                --nodes 1            servers on one PostgreSQL, asked in turn
                --bus redis          what carries wake-ups between several: redis, postgres or none
                --threads 1000       threads in which the runs happen, with one viewer each
                --step 50            by how much the search goes up if the rate is not held
                --step-seconds 20    how long each step of the search is measured
                --warm-up 30         seconds at the lowest rate before anything is measured
                --json FILE          where the figures are saved (target/bench/runs.json)
            """;

    private static final Set<String> NAMES = Set.of(
            "rate",
            "reads",
            "minutes",
            "seconds",
            "nodes",
            "bus",
            "threads",
            "step",
            "step-seconds",
            "warm-up",
            "json");

    private RunsCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        RunsPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            RunsReport report = new RunsBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratios()), plan.json());
            out.println("saved as " + plan.json());
            return report.held().isPresent() ? 0 : 1;
        } catch (IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static RunsPlan plan(Flags flags) {
        int minutes = flags.number("minutes", 10, 1, 1_440);
        int nodes = flags.number("nodes", 1, 1, 16);
        return new RunsPlan(
                flags.number("rate", 500, 1, 100_000),
                flags.number("reads", 500, 0, 100_000),
                Duration.ofSeconds(flags.number("seconds", minutes * 60, 1, 86_400)),
                nodes,
                Bus.of(flags, nodes),
                flags.number("threads", 1_000, 1, 20_000),
                flags.number("step", 50, 1, 10_000),
                Duration.ofSeconds(flags.number("step-seconds", 20, 1, 3_600)),
                Duration.ofSeconds(flags.number("warm-up", 30, 0, 3_600)),
                flags.path("json", Path.of("target", "bench", "runs.json")));
    }

    /** The file: every window, and what was held. */
    private record Saved(RunsReport report, Optional<RunsReport.Held> held) {}
}
