package dev.parley.bench.nodes;

import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench nodes}: fails if a message was refused. */
public final class NodesCommand {
    public static final String FLAGS = """
                --nodes 3            servers of the cluster that is compared with one
                --bus redis          what carries wake-ups between them: redis, postgres or none
                --rate 300           messages due a second
                --threads 500        threads they are posted to
                --viewers 3          viewers of each thread
                --content-bytes 200  length of a message
                --seconds 15         length of each measured window
                --rounds 3           how often each cluster has its turn
                --warm-up 30         seconds that each cluster runs before it is measured
                --json FILE          where the figures are saved (target/bench/nodes.json)
            """;

    private static final Set<String> NAMES = Set.of(
            "nodes", "bus", "rate", "threads", "viewers", "content-bytes", "seconds", "rounds", "warm-up", "json");

    private NodesCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        NodesPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            NodesReport report = new NodesBench(plan, out).run();
            out.println();
            out.println(report.text());
            Figures.save(new Saved(report, report.ratios()), plan.json());
            out.println("saved as " + plan.json());
            return report.whole() ? 0 : 1;
        } catch (IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static NodesPlan plan(Flags flags) {
        int nodes = flags.number("nodes", 3, 2, 16);
        return new NodesPlan(
                nodes,
                Bus.of(flags, nodes),
                flags.number("rate", 300, 1, 100_000),
                flags.number("threads", 500, 1, 10_000),
                flags.number("viewers", 3, 1, 100),
                flags.number("content-bytes", 200, 1, 4_900),
                Duration.ofSeconds(flags.number("seconds", 15, 1, 3_600)),
                flags.number("rounds", 3, 1, 100),
                Duration.ofSeconds(flags.number("warm-up", 30, 0, 3_600)),
                flags.path("json", Path.of("target", "bench", "nodes.json")));
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(NodesReport report, List<NodesReport.Ratio> ratios) {}
}
