package dev.parley.bench.prove;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** The folder of all proofs, and the methods with which every proof ends. */
public final class Proof {
    private static final Path FOLDER = Path.of("target", "prove").toAbsolutePath();
    private static final int SHOWN = 20;

    private Proof() {}

    /** The path of a proof's file or scratch folder. */
    public static Path path(String name) {
        return FOLDER.resolve(name);
    }

    /** Prints the first violations. */
    public static void show(List<String> violations, PrintStream out) {
        violations.stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
    }

    /** Prints the finding of a step, and returns it. */
    static <F extends StepFinding> F print(F finding, PrintStream out) {
        out.println(finding.step() + ": " + (finding.holds() ? "holds" : "BROKEN") + ", " + finding.counts() + ", met "
                + finding.answers());
        show(finding.violations(), out);
        return finding;
    }

    /**
     * Saves a finding and returns the exit status.
     *
     * @param scratch folders that are deleted if the proof holds, and otherwise stay for inspection
     */
    public static int conclude(String file, Object finding, boolean holds, PrintStream out, String... scratch)
            throws IOException {
        Path saved = path(file);
        Figures.save(finding, saved);
        out.println("saved as " + saved);
        if (holds) {
            List.of(scratch).forEach(name -> Folders.delete(path(name)));
        }
        return holds ? 0 : 1;
    }
}
