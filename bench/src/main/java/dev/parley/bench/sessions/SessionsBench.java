package dev.parley.bench.sessions;

import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.RunRig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The whole benchmark: warm up elsewhere, fill one session, then append to it and to a short one by turns. */
final class SessionsBench {
    private static final Path FOLDER = Path.of("target", "bench", "sessions");
    private static final int MESSAGES_PER_WARM_UP_SESSION = 100;

    private final SessionsPlan plan;
    private final PrintStream out;

    SessionsBench(SessionsPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    SessionsReport run() throws SQLException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<SessionsReport.Window> windows = new ArrayList<>();
        try (RunRig rig = new RunRig(folder, 1);
                SessionClient client = new SessionClient(rig.uri(), rig.user(0));
                Connection connection = rig.connect()) {
            out.println("filling");
            client.fill("long", plan.messages());
            settle(connection);
            out.println("warming up");
            for (int i = 0; i < plan.warmUp(); i++) {
                client.append("elsewhere-" + i / MESSAGES_PER_WARM_UP_SESSION, 1);
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                // Every round has a short session of its own, so that it stays one.
                String brief = "short-" + round;
                client.fill(brief, plan.fewMessages());
                windows.add(measure(rig, connection, client, round, false, brief));
                windows.add(measure(rig, connection, client, round, true, "long"));
            }
            return new SessionsReport(machine, plan, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private SessionsReport.Window measure(
            RunRig rig, Connection connection, SessionClient client, int round, boolean isLong, String session)
            throws SQLException {
        RunRig.Used before = rig.used(connection);
        client.append(session, plan.window());
        RunRig.Used used = rig.used(connection).since(before);
        SessionsReport.Window window = new SessionsReport.Window(
                round,
                isLong,
                isLong ? plan.messages() + (round - 1) * plan.window() : plan.fewMessages(),
                used.server().toNanos() / 1e3 / plan.window(),
                used.database().toNanos() / 1e3 / plan.window(),
                (double) used.walBytes() / plan.window());
        out.printf(
                "round %d, after %,d messages: %,.0f µs CPU, %,.0f bytes of WAL each%n",
                round, window.before(), window.cpuMicros(), window.walBytes());
        return window;
    }

    private static void settle(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("vacuum (analyze)");
            statement.execute("checkpoint");
        }
    }
}
