package dev.parley.bench.viewers;

import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.OpenFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench viewers}: fails if a viewer missed something, or saw it twice. */
public final class ViewersCommand {
    public static final String FLAGS = """
                --viewers 10000      streams that are open at the same time, over the nodes in turn
                --inboxes 1000       how many of them follow an inbox, each of somebody else; the others follow a thread each
                --threads 1000       threads that they follow
                --nodes 1            servers on one PostgreSQL; the first one is killed
                --bus redis          what carries wake-ups between several: redis, postgres or none
                --idle 60            seconds for which nothing happens
                --starts 5           how often starting, and kill -9, are measured; 0 for not at all
                --json FILE          where the figures are saved (target/bench/viewers.json)
            """;

    private static final Set<String> NAMES =
            Set.of("viewers", "inboxes", "threads", "nodes", "bus", "idle", "starts", "json");

    private ViewersCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        ViewersPlan plan = plan(Flags.parse(arguments, NAMES));
        OpenFiles.requireRoomFor(plan.viewers());
        try {
            ViewersReport report = new ViewersBench(plan, out).run();
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

    private static ViewersPlan plan(Flags flags) {
        // No more than there are ports for connections to one address.
        int viewers = flags.number("viewers", 10_000, 1, 25_000);
        int nodes = flags.number("nodes", 1, 1, 16);
        return new ViewersPlan(
                viewers,
                flags.number("inboxes", viewers / 10, 0, Math.min(viewers, 10_000)),
                flags.number("threads", Math.min(1_000, viewers), 1, 10_000),
                nodes,
                Bus.of(flags, nodes),
                Duration.ofSeconds(flags.number("idle", 60, 1, 3_600)),
                flags.number("starts", 5, 0, 100),
                flags.path("json", Path.of("target", "bench", "viewers.json")));
    }

    /** The file: all figures, and their ratios to what is to be reached. */
    private record Saved(ViewersReport report, ViewersReport.Ratios ratios) {}
}
