package dev.parley.bench.turns;

import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.RunClient;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.UsageException;
import dev.parley.bench.rig.Workbench;
import dev.parley.protocol.ThreadId;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares the cost of late turns of a conversation with the cost of early turns. Warms up in other threads, then holds
 * conversations and measures their turns in windows. Fails if late turns cost more.
 */
public final class TurnsBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "turns",
            "the cost of a turn late in a conversation, beside one at its beginning",
            """
                --turns 400          turns of a conversation
                --window 20          turns that are averaged, at the beginning and at the end
                --rounds 3           conversations, one after the other
                --warm-up 400        turns in other threads before
                --json FILE          file of the figures (target/bench/turns.json)
            """,
            Plan::of,
            (plan, bench) -> new TurnsBench(plan, bench).measure());

    private static final int TURNS_PER_WARM_UP_THREAD = 20;
    private static final String QUESTION = "what did we say about the weather?";

    /**
     * The parameters of a run.
     *
     * @param skipped the number of first turns of a conversation that are not counted, because the agent still joins
     *     and query plans still settle
     */
    record Plan(int turns, int window, int skipped, int warmUp, int rounds, Path json) implements Scenario.Plan {
        private static final int SKIPPED = 5;

        static Plan of(Flags flags) {
            Plan plan = new Plan(
                    flags.number("turns", 10, 100_000),
                    flags.number("window", 1, 1_000),
                    SKIPPED,
                    flags.number("warm-up", 0, 100_000),
                    flags.number("rounds", 1, 100),
                    flags.path("json"));
            if (plan.turns() < plan.skipped() + 2 * plan.window()) {
                throw new UsageException("--turns has to leave room for two windows.");
            }
            return plan;
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final RunClient client;
    private final OperationCost.Meter meter;

    private TurnsBench(Plan plan, Workbench bench) throws SQLException {
        this.plan = plan;
        this.bench = bench;
        Cluster cluster = bench.keep(Cluster.single(bench.folder(), 1, Map.of()));
        this.client = bench.keep(new RunClient(cluster.uri(), cluster.user(0)));
        this.meter = new OperationCost.Meter(cluster);
    }

    private TurnsReport measure() throws SQLException {
        bench.out().println("warming up");
        ThreadId elsewhere = ThreadId.fresh();
        for (int i = 0; i < plan.warmUp(); i++) {
            elsewhere = i % TURNS_PER_WARM_UP_THREAD == 0 ? ThreadId.fresh() : elsewhere;
            client.turn(elsewhere, QUESTION);
        }
        List<TurnsReport.Window> windows = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            // Every round begins with a checkpoint, because the first write to a page after a checkpoint puts the whole
            // page into the WAL.
            meter.execute("checkpoint");
            converse(round, windows);
        }
        return new TurnsReport(bench.machine(), plan, List.copyOf(windows));
    }

    private void converse(int round, List<TurnsReport.Window> windows) throws SQLException {
        ThreadId thread = ThreadId.fresh();
        int turn = 0;
        while (turn < plan.skipped()) {
            client.turn(thread, QUESTION);
            turn++;
        }
        while (turn < plan.turns()) {
            // Windows are counted from the end, so that the last window has its full length.
            int left = plan.turns() - turn;
            int size = turn > plan.skipped() && left % plan.window() != 0 ? left % plan.window() : plan.window();
            OperationCost cost = meter.measure(size, () -> {
                for (int i = 0; i < size; i++) {
                    client.turn(thread, QUESTION);
                }
            });
            windows.add(new TurnsReport.Window(round, turn + 1, turn + size, cost));
            bench.out().printf("round %d, turns %d–%d: %s%n", round, turn + 1, turn + size, cost);
            turn += size;
        }
    }
}
