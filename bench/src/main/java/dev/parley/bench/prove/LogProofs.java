package dev.parley.bench.prove;

import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The four steps of {@code ./parley prove log}: simulated histories, flushes, a bad network, kills. */
public final class LogProofs {
    public static final BenchCommand COMMAND =
            new BenchCommand("log", "no acknowledged message is lost, doubled or reordered", """
                --histories 1000000  simulated histories
                --writers 32         writers of the crowd
                --readers 16         readers of the crowd
                --minutes 1          length of the run on a bad network; if given, kills go on as long
                --cycles 20          kills, if --minutes is not given
                --seed N             first seed of the simulator and the crowd's choices (1)
            """, LogProofs::run);

    private static final String FLUSH = "flush";
    private static final String NETWORK = "bad-network";
    private static final String KILLS = "kills";
    private static final int THREADS = 8;
    private static final int FLUSHED_MESSAGES = 300;

    private LogProofs() {}

    private static int run(Flags flags, PrintStream out) throws IOException, SQLException, InterruptedException {
        int histories = flags.number("histories", 0, 1_000_000_000);
        // The maximum of 100 writers follows from the fifty users that a thread takes, because two writers share a
        // user.
        Crowd.Size size = new Crowd.Size(flags.number("writers", 1, 100), flags.number("readers", 0, 200));
        Duration length = flags.minutes("minutes", 1, 24 * 60);
        int cycles = flags.given("minutes") && !flags.given("cycles")
                ? Integer.MAX_VALUE
                : flags.number("cycles", 0, 1_000_000);
        Duration limit = flags.given("minutes") ? length : Duration.ofDays(1);
        int seed = flags.seed();
        List<LogFinding> findings = new ArrayList<>();
        findings.add(Proof.print(SimulatorProof.run(seed, histories), out));
        findings.add(Proof.print(FlushProof.run(Proof.path(FLUSH), FLUSHED_MESSAGES), out));
        findings.add(Proof.print(new HistoryProof(Proof.path(NETWORK), size, THREADS, seed).run(length), out));
        findings.add(Proof.print(new KillProof(Proof.path(KILLS), size, THREADS, seed, out).run(cycles, limit), out));
        return conclude(findings, out);
    }

    static int conclude(List<LogFinding> findings, PrintStream out) throws IOException {
        out.println();
        out.println(table(findings));
        boolean holds = findings.stream().allMatch(LogFinding::holds);
        return Proof.conclude("log.json", findings, holds, out, FLUSH, NETWORK, KILLS);
    }

    static Table table(List<LogFinding> findings) {
        return StepFinding.addEnd(new Columns<LogFinding>()
                        .add("step", LogFinding::step)
                        .add("cycles", LogFinding::cycles)
                        .add("operations", LogFinding::operations)
                        .add("acknowledged", LogFinding::acknowledged)
                        .add("lost", LogFinding::lost)
                        .add("duplicated", LogFinding::duplicated)
                        .add("reordered", LogFinding::reordered))
                .of(findings);
    }
}
