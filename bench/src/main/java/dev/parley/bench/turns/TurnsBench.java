package dev.parley.bench.turns;

import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.RunClient;
import dev.parley.bench.rig.RunRig;
import dev.parley.protocol.ThreadId;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The whole benchmark: warm up elsewhere, then hold conversations and look at windows of their turns. */
final class TurnsBench {
    private static final Path FOLDER = Path.of("target", "bench", "turns");
    private static final int TURNS_PER_WARM_UP_THREAD = 20;
    private static final String QUESTION = "what did we say about the weather?";

    private final TurnsPlan plan;
    private final PrintStream out;

    TurnsBench(TurnsPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    TurnsReport run() throws SQLException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<TurnsReport.Window> windows = new ArrayList<>();
        try (RunRig rig = new RunRig(folder, 1);
                RunClient client = new RunClient(rig.uri(), rig.user(0));
                Connection connection = rig.connect()) {
            out.println("warming up");
            ThreadId elsewhere = ThreadId.fresh();
            for (int i = 0; i < plan.warmUp(); i++) {
                elsewhere = i % TURNS_PER_WARM_UP_THREAD == 0 ? ThreadId.fresh() : elsewhere;
                client.turn(elsewhere, QUESTION);
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                // Pages are written whole into the WAL once after a checkpoint: so every round begins with one.
                checkpoint(connection);
                windows.addAll(converse(rig, client, connection, round));
            }
            return new TurnsReport(machine, plan, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private List<TurnsReport.Window> converse(RunRig rig, RunClient client, Connection connection, int round)
            throws SQLException {
        ThreadId thread = ThreadId.fresh();
        List<TurnsReport.Window> windows = new ArrayList<>();
        int turn = 0;
        while (turn < plan.skipped()) {
            client.turn(thread, QUESTION);
            turn++;
        }
        while (turn < plan.turns()) {
            // Counted from the end, so that the last window is a whole one.
            int left = plan.turns() - turn;
            int size = turn > plan.skipped() && left % plan.window() != 0 ? left % plan.window() : plan.window();
            RunRig.Used before = rig.used(connection);
            for (int i = 0; i < size; i++) {
                client.turn(thread, QUESTION);
            }
            RunRig.Used used = rig.used(connection).since(before);
            TurnsReport.Window window = new TurnsReport.Window(
                    round,
                    turn + 1,
                    turn + size,
                    used.server().toNanos() / 1e3 / size,
                    used.database().toNanos() / 1e3 / size,
                    (double) used.walBytes() / size);
            out.printf(
                    "round %d, turns %d–%d: %,.0f µs CPU, %,.0f bytes of WAL each%n",
                    round, window.first(), window.last(), window.cpuMicros(), window.walBytes());
            windows.add(window);
            turn += size;
        }
        return windows;
    }

    private static void checkpoint(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("checkpoint");
        }
    }
}
