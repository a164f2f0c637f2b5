package dev.parley.bench.prove.hostile;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code ./parley prove hostile}: tables, and a status that says whether honest callers were served. */
public final class HostileProofCommand {
    public static final String FLAGS = """
                --honest 20          honest callers, each in a thread of its own
                --minutes 5          length of the attacks; a fifth of it before, without them
                --heap 512m          heap of the server
                --seed N             of the honest callers' pauses (1)
            """;

    private static final Set<String> NAMES = Set.of("honest", "minutes", "heap", "seed");
    private static final Path FOLDER = Path.of("target", "prove");
    private static final int SHOWN = 20;
    /** How much longer the slowest hundredth of honest requests may take beside the attacks. */
    private static final double MAX_RATIO = 5;

    private HostileProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        Duration beside = Duration.ofMinutes(flags.number("minutes", 5, 1, 24 * 60));
        HostileProof.Setup setup = new HostileProof.Setup(
                flags.number("honest", 20, 1, 1_000),
                flags.text("heap", "512m"),
                beside.dividedBy(5),
                beside,
                flags.number("seed", 1, 0, Integer.MAX_VALUE));
        Path scratch = Folders.empty(FOLDER.resolve("hostile"));
        try {
            HostileFinding finding = new HostileProof(scratch, setup, out).run();
            return conclude(finding, scratch, out);
        } catch (IOException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static int conclude(HostileFinding finding, Path scratch, PrintStream out) throws IOException {
        List<String> violations = new ArrayList<>(finding.violations());
        if (finding.ratio() > MAX_RATIO) {
            violations.add(
                    "p99 of honest callers beside the attacks is %.1f times that without".formatted(finding.ratio()));
        }
        violations.stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        Table honest = new Table("honest callers", "answered", "repeated", "failed", "p50 ms", "p99 ms", "max ms");
        row(honest, "undisturbed", finding.undisturbed());
        row(honest, "beside the attacks", finding.beside());
        out.println();
        out.println(honest);
        Table attacks = new Table("attack", "strikes");
        finding.strikes().forEach((name, count) -> attacks.add(name, Long.toString(count)));
        out.println(attacks);
        Path file = FOLDER.resolve("hostile.json").toAbsolutePath();
        Figures.save(finding, file);
        out.printf("p99 ratio %.1f, violations %d; saved as %s%n", finding.ratio(), violations.size(), file);
        if (violations.isEmpty()) {
            // The folder of a broken proof stays for its reader.
            Folders.delete(scratch);
        }
        return violations.isEmpty() ? 0 : 1;
    }

    private static void row(Table table, String name, HonestFigures.Phase phase) {
        table.add(
                name,
                Long.toString(phase.succeeded()),
                Long.toString(phase.retried()),
                Long.toString(phase.failed()),
                "%.1f".formatted(phase.millis().p50()),
                "%.1f".formatted(phase.millis().p99()),
                "%.1f".formatted(phase.millis().max()));
    }
}
