package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.BenchPostgres;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The three steps of {@code ./parley prove runs}: kills, cancels, and servers that freeze for a while. */
public final class RunProofs {
    public static final BenchCommand COMMAND = new BenchCommand(
            "runs",
            "no acknowledged run is lost or stuck; each ends once, and its viewers see what the log holds",
            """
                --runs 200           runs that are started while the server is killed again and again
                --kill-every 4s      time between two kills
                --viewers 2          viewers of each of them
                --cancels 1000       runs that are cancelled at some moment
                --zombies 3          servers that are stopped in the middle of a run until another takes it over
                --seed N             of the choices (1)
            """,
            RunProofs::run);

    private static final String KILLS = "run-kills";
    private static final String CANCELS = "run-cancels";
    private static final String ZOMBIES = "run-zombies";

    private RunProofs() {}

    private static int run(Flags flags, PrintStream out) throws IOException, InterruptedException {
        RunCrowd.Size size = new RunCrowd.Size(flags.number("runs", 0, 1_000_000), flags.number("viewers", 0, 100));
        Duration killEvery = flags.seconds("kill-every", 1, 3_600);
        int cancels = flags.number("cancels", 0, 1_000_000);
        int zombies = flags.number("zombies", 0, 10_000);
        int seed = flags.seed();
        List<RunFinding> findings = new ArrayList<>();
        if (size.runs() > 0) {
            RunKillProof kills = new RunKillProof(Proof.path(KILLS), size, seed, out);
            findings.add(Proof.print(kills.run(killEvery, Integer.MAX_VALUE), out));
        }
        if (cancels > 0) {
            findings.add(Proof.print(cancel(cancels, seed), out));
        }
        if (zombies > 0) {
            findings.add(Proof.print(stop(zombies, out), out));
        }
        return conclude(findings, out);
    }

    private static RunFinding cancel(int cancels, int seed) throws InterruptedException {
        Accounts accounts = new Accounts(1);
        try (ServerProcess server = ServerProcess.alone(Folders.empty(Proof.path(CANCELS)), accounts)) {
            return new CancelProof(server.uri(), accounts.users().getFirst(), seed).run(cancels);
        }
    }

    private static RunFinding stop(int zombies, PrintStream out) throws IOException, InterruptedException {
        Path folder = Folders.empty(Proof.path(ZOMBIES));
        try (BenchPostgres postgres = BenchPostgres.start(folder, Map.of())) {
            return new ZombieProof(folder.resolve("servers"), postgres.database(), out).run(zombies);
        }
    }

    static int conclude(List<RunFinding> findings, PrintStream out) throws IOException {
        out.println();
        out.println(table(findings));
        boolean holds = findings.stream().allMatch(RunFinding::holds);
        return Proof.conclude("runs.json", findings, holds, out, KILLS, CANCELS, ZOMBIES);
    }

    static Table table(List<RunFinding> findings) {
        return StepFinding.addEnd(new Columns<RunFinding>()
                        .add("step", RunFinding::step)
                        .add("cycles", RunFinding::cycles)
                        .add("acknowledged", RunFinding::acknowledged)
                        .add("completed", finding -> finding.ended("completed"))
                        .add("failed", finding -> finding.ended("failed"))
                        .add("cancelled", finding -> finding.ended("cancelled"))
                        .add("views", RunFinding::views))
                .of(findings);
    }
}
