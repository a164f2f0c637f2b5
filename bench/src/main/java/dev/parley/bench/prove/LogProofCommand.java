package dev.parley.bench.prove;

import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Table;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code ./parley prove log}: four steps, a table, and a status that says whether all promises were kept. */
public final class LogProofCommand {
    public static final String FLAGS = """
                --histories 1000000  simulated histories
                --writers 32         writers of the crowd
                --readers 16         readers of the crowd
                --minutes 1          length of the run behind a bad network; if given, kills go on as long
                --cycles 20          kills, if --minutes is not given
                --seed N             first seed of the simulator and the crowd's choices (1)
            """;

    private static final Set<String> NAMES = Set.of("histories", "writers", "readers", "minutes", "cycles", "seed");
    private static final Path FOLDER = Path.of("target", "prove");
    private static final int THREADS = 8;
    private static final int FLUSHED_MESSAGES = 300;
    private static final int SHOWN = 20;

    private LogProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        int histories = flags.number("histories", 1_000_000, 0, 1_000_000_000);
        // Two writers share a user, and a thread takes fifty users.
        Crowd.Size size = new Crowd.Size(flags.number("writers", 32, 1, 100), flags.number("readers", 16, 0, 200));
        Duration length = Duration.ofMinutes(flags.number("minutes", 1, 1, 24 * 60));
        int cycles = flags.number("cycles", flags.given("minutes") ? Integer.MAX_VALUE : 20, 0, 1_000_000);
        Duration limit = flags.given("minutes") ? length : Duration.ofDays(1);
        int seed = flags.number("seed", 1, 0, Integer.MAX_VALUE);
        try {
            List<Finding> findings = new ArrayList<>();
            findings.add(say(SimulatorProof.run(seed, histories), out));
            Path flush = FOLDER.resolve("flush").toAbsolutePath();
            findings.add(say(new FlushProof(flush).run(FLUSHED_MESSAGES), out));
            Path network = FOLDER.resolve("bad-network").toAbsolutePath();
            findings.add(say(new HistoryProof(network, size, THREADS, seed).run(length), out));
            Path kills = FOLDER.resolve("kills").toAbsolutePath();
            findings.add(say(new KillProof(kills, size, THREADS, seed, out).run(cycles, limit), out));
            return conclude(findings, out);
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static Finding say(Finding finding, PrintStream out) {
        out.println(finding.step() + ": " + (finding.holds() ? "holds" : "BROKEN") + ", " + finding.operations()
                + " operations, " + finding.acknowledged() + " acknowledged, met " + finding.answers());
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        return finding;
    }

    static int conclude(List<Finding> findings, PrintStream out) throws IOException {
        out.println();
        out.println(table(findings));
        Path file = Files.createDirectories(FOLDER).resolve("log.json").toAbsolutePath();
        Files.write(file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(findings));
        out.println("saved as " + file);
        boolean holds = findings.stream().allMatch(Finding::holds);
        if (holds) {
            // What is broken stays to be looked at.
            Folders.delete(FOLDER.resolve("flush"));
            Folders.delete(FOLDER.resolve("bad-network"));
            Folders.delete(FOLDER.resolve("kills"));
        }
        return holds ? 0 : 1;
    }

    static Table table(List<Finding> findings) {
        Table table = new Table(
                "step",
                "cycles",
                "operations",
                "acknowledged",
                "lost",
                "duplicated",
                "reordered",
                "unavailable s",
                "at most s",
                "violations");
        for (Finding finding : findings) {
            table.add(
                    finding.step(),
                    Long.toString(finding.cycles()),
                    Long.toString(finding.operations()),
                    Long.toString(finding.acknowledged()),
                    Long.toString(finding.lost()),
                    Long.toString(finding.duplicated()),
                    Long.toString(finding.reordered()),
                    String.format(Locale.ROOT, "%.1f", finding.unavailableInAll()),
                    String.format(Locale.ROOT, "%.1f", finding.unavailableAtMost()),
                    Integer.toString(finding.violations().size()));
        }
        return table;
    }
}
