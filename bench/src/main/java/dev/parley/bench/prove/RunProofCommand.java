package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Table;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code ./parley prove runs}: three steps, a table, and a status that says whether all promises were kept. */
public final class RunProofCommand {
    public static final String FLAGS = """
                --runs 200           runs that are started while the server is killed again and again
                --kill-every 4s      how long it serves in between
                --viewers 2          viewers of each of them
                --cancels 1000       runs that are cancelled at some moment
                --zombies 3          servers that are stopped in the middle of a run until another takes it over
                --seed N             of the choices (1)
            """;

    private static final Set<String> NAMES = Set.of("runs", "kill-every", "viewers", "cancels", "zombies", "seed");
    private static final Path FOLDER = Path.of("target", "prove");
    private static final Path KILLS = FOLDER.resolve("run-kills");
    private static final Path CANCELS = FOLDER.resolve("run-cancels");
    private static final Path ZOMBIES = FOLDER.resolve("run-zombies");
    private static final String DATABASE = "parley";
    private static final int SHOWN = 20;

    private RunProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, NAMES);
        RunCrowd.Size size =
                new RunCrowd.Size(flags.number("runs", 200, 0, 1_000_000), flags.number("viewers", 2, 0, 100));
        Duration killEvery = flags.seconds("kill-every", 4, 1, 3_600);
        int cancels = flags.number("cancels", 1_000, 0, 1_000_000);
        int zombies = flags.number("zombies", 3, 0, 10_000);
        int seed = flags.number("seed", 1, 0, Integer.MAX_VALUE);
        try {
            List<RunFinding> findings = new ArrayList<>();
            if (size.runs() > 0) {
                Path kills = KILLS.toAbsolutePath();
                findings.add(say(new RunKillProof(kills, size, seed, out).run(killEvery, Integer.MAX_VALUE), out));
            }
            if (cancels > 0) {
                findings.add(say(cancel(cancels, seed), out));
            }
            if (zombies > 0) {
                findings.add(say(stop(zombies, out), out));
            }
            return conclude(findings, out);
        } catch (IOException failed) {
            throw new IllegalStateException("The proof broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static RunFinding cancel(int cancels, int seed) throws InterruptedException {
        Accounts accounts = new Accounts(1);
        try (ServerProcess server =
                ServerProcess.start(Folders.empty(CANCELS), accounts.environment(), List.of("--log-level", "warn"))) {
            return new CancelProof(server.uri(), accounts.users().getFirst(), seed).run(cancels);
        }
    }

    private static RunFinding stop(int zombies, PrintStream out) throws IOException, InterruptedException {
        Path folder = Folders.empty(ZOMBIES);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(
                EmbeddedPostgres.Settings.of(folder.resolve("postgres"), TestPostgres.programs()))) {
            postgres.createDatabaseIfMissing(DATABASE);
            DatabaseAddress database =
                    new DatabaseAddress(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
            return new ZombieProof(folder.resolve("servers"), database, out).run(zombies);
        }
    }

    private static RunFinding say(RunFinding finding, PrintStream out) {
        out.println(finding.step() + ": " + (finding.holds() ? "holds" : "BROKEN") + ", " + finding.acknowledged()
                + " runs, " + finding.states() + ", met " + finding.answers());
        finding.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
        return finding;
    }

    static int conclude(List<RunFinding> findings, PrintStream out) throws IOException {
        out.println();
        out.println(table(findings));
        Path file = FOLDER.resolve("runs.json").toAbsolutePath();
        Figures.save(findings, file);
        out.println("saved as " + file);
        boolean holds = findings.stream().allMatch(RunFinding::holds);
        if (holds) {
            // What is broken stays to be looked at.
            List.of(KILLS, CANCELS, ZOMBIES).forEach(Folders::delete);
        }
        return holds ? 0 : 1;
    }

    static Table table(List<RunFinding> findings) {
        Table table = new Table(
                "step",
                "cycles",
                "acknowledged",
                "completed",
                "failed",
                "cancelled",
                "views",
                "unavailable s",
                "at most s",
                "violations");
        for (RunFinding finding : findings) {
            table.add(
                    finding.step(),
                    Long.toString(finding.cycles()),
                    Long.toString(finding.acknowledged()),
                    Long.toString(finding.ended("completed")),
                    Long.toString(finding.ended("failed")),
                    Long.toString(finding.ended("cancelled")),
                    Long.toString(finding.views()),
                    seconds(finding.unavailableSeconds().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum()),
                    seconds(finding.unavailableSeconds().stream()
                            .mapToDouble(Double::doubleValue)
                            .max()
                            .orElse(0)),
                    Integer.toString(finding.violations().size()));
        }
        return table;
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
