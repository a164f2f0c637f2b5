package dev.parley.bench.prove;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley prove delivery}: a table, and a status that says whether the promise was kept. */
public final class DeliveryProofCommand {
    public static final String FLAGS = """
                --messages 150       messages that three platforms bring, each answered in several parts
                --kills 10           of the server
                --kill-every 5s      how long it serves in between
                --seed N             of the choices (1)
            """;

    private static final Set<String> NAMES = Set.of("messages", "kills", "kill-every", "seed");
    private static final Path FOLDER = Path.of("target", "prove");
    private static final Path KILLS = FOLDER.resolve("delivery-kills");
    private static final int SHOWN = 20;

    private DeliveryProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        int messages = flags.number("messages", 150, 1, 100_000);
        int kills = flags.number("kills", 10, 0, 10_000);
        Duration killEvery = flags.seconds("kill-every", 5, 1, 3_600);
        int seed = flags.number("seed", 1, 0, Integer.MAX_VALUE);
        try {
            DeliveryFinding finding =
                    new DeliveryProof(KILLS.toAbsolutePath(), messages, seed, out).run(killEvery, kills);
            return conclude(finding, out);
        } catch (IOException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static int conclude(DeliveryFinding finding, PrintStream out) throws IOException {
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        Table table = new Table("kills", "messages", "faults", "parts sent", "uncertain", "dead", "violations");
        table.add(
                Integer.toString(finding.kills()),
                Integer.toString(finding.brought()),
                Integer.toString(finding.faults()),
                Long.toString(finding.states().getOrDefault("sent", 0L)),
                Long.toString(finding.states().getOrDefault("uncertain", 0L)),
                Long.toString(finding.states().getOrDefault("dead", 0L)),
                Integer.toString(finding.violations().size()));
        out.println();
        out.println(table);
        Path file = FOLDER.resolve("delivery.json").toAbsolutePath();
        Figures.save(finding, file);
        out.println("saved as " + file);
        if (finding.holds()) {
            // What is broken stays to be looked at.
            Folders.delete(KILLS);
        }
        return finding.holds() ? 0 : 1;
    }
}
