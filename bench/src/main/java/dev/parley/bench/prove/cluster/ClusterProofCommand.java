package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** {@code ./parley prove}: a cluster, every fault, a table, and a status that says whether all promises were kept. */
public final class ClusterProofCommand {
    public static final String FLAGS = """
                --nodes 3            nodes on one PostgreSQL and one Redis
                --minutes 10         length of the run; every kind of fault has its turn in any case
                --faults all         kinds of faults, separated by commas: %s
                --writers 8          writers of the crowd
                --readers 6          readers of the crowd
                --runs 2             those who start runs
                --heap 512m          heap of each node
                --seed N             of the faults, their order and their particulars (1)
            """.formatted(FaultKind.words());

    private static final Set<String> NAMES =
            Set.of("nodes", "minutes", "faults", "writers", "readers", "runs", "heap", "seed");
    private static final Path FOLDER = Path.of("target", "prove", "cluster");
    private static final int SHOWN = 50;

    private ClusterProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        List<FaultKind> faults = faults(flags.text("faults", "all"));
        int seed = flags.number("seed", 1, 0, Integer.MAX_VALUE);
        // Two writers share a user, and a thread takes fifty users.
        Load load = Load.of(
                flags.number("writers", 8, 1, 100), flags.number("readers", 6, 0, 200), flags.number("runs", 2, 0, 50));
        try {
            HistoryFolder history = HistoryFolder.make(
                    FOLDER, "./parley prove " + String.join(" ", arguments) + " (seed " + seed + ")");
            Path scratch = history.path().resolve("cluster");
            Cluster.Shape shape = new Cluster.Shape(
                    scratch,
                    flags.number("nodes", 3, 1, 16),
                    flags.text("heap", "512m"),
                    load.crowd().users(),
                    faults.contains(FaultKind.DISK));
            ClusterProof.Setup setup = new ClusterProof.Setup(
                    shape,
                    load,
                    faults,
                    faults.size() > 1,
                    seed,
                    Duration.ofMinutes(flags.number("minutes", 10, 1, 24 * 60)),
                    Integer.MAX_VALUE,
                    history.path());
            out.println("seed " + seed + ", saved in " + history.path());
            return conclude(new ClusterProof(setup, out).run(), history, out);
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    static int conclude(ClusterFinding finding, HistoryFolder history, PrintStream out) throws IOException {
        history.save(finding);
        out.println();
        out.println(ClusterReport.table(finding));
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        out.println("saved in " + history.path());
        if (finding.holds()) {
            // What is broken stays to be looked at.
            Folders.delete(history.path().resolve("cluster"));
        }
        return finding.holds() ? 0 : 1;
    }

    static List<FaultKind> faults(String words) {
        if (words.equals("all")) {
            return Arrays.asList(FaultKind.values());
        }
        List<FaultKind> kinds = new ArrayList<>();
        for (String word : words.split(",", -1)) {
            kinds.add(FaultKind.of(word.strip())
                    .orElseThrow(() -> new UsageException(
                            "There is no fault \"" + word + "\"; there are " + FaultKind.words() + ".")));
        }
        return List.copyOf(kinds);
    }
}
