package dev.parley.bench.prove.viewers;

import dev.parley.bench.prove.cluster.Cluster;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley prove viewers}: a table, and a status that says whether every viewer's stream was whole. */
public final class ViewersProofCommand {
    public static final String FLAGS = """
                --nodes 3            nodes on one PostgreSQL and one Redis
                --viewers 2000       viewers, spread over them
                --threads 40         threads that they view
                --writers 8          writers of these threads
                --minutes 3          length of the run
                --kill-every 20s     how long until the next node is killed
                --heap 512m          heap of each node
                --seed N             of everybody's choices (1)
            """;

    private static final Set<String> NAMES =
            Set.of("nodes", "viewers", "threads", "writers", "minutes", "kill-every", "heap", "seed");
    private static final Path FOLDER = Path.of("target", "prove");
    private static final int PAUSE_MILLIS = 200;
    private static final int SHOWN = 20;

    private ViewersProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        int writers = flags.number("writers", 8, 1, 100);
        Path scratch = Folders.empty(FOLDER.resolve("viewers"));
        ViewersProof.Setup setup = new ViewersProof.Setup(
                new Cluster.Shape(
                        scratch, flags.number("nodes", 3, 1, 16), flags.text("heap", "512m"), (writers + 1) / 2, false),
                flags.number("viewers", 2_000, 1, 100_000),
                flags.number("threads", 40, 1, 10_000),
                writers,
                PAUSE_MILLIS,
                Duration.ofMinutes(flags.number("minutes", 3, 1, 24 * 60)),
                flags.seconds("kill-every", 20, 1, 3_600),
                Integer.MAX_VALUE,
                flags.number("seed", 1, 0, Integer.MAX_VALUE));
        try {
            return conclude(new ViewersProof(setup, out).run(), out);
        } catch (IOException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    static int conclude(ViewersFinding finding, PrintStream out) throws IOException {
        out.println();
        out.println(finding.table());
        out.println("came back because of " + finding.answers());
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        Path file = FOLDER.resolve("viewers.json").toAbsolutePath();
        Figures.save(finding, file);
        out.println("saved as " + file);
        if (finding.violations().isEmpty()) {
            // What is broken stays to be looked at.
            Folders.delete(FOLDER.resolve("viewers"));
            return 0;
        }
        return 1;
    }
}
