package dev.parley.bench.sessions;

import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Workbench;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares the cost of a message in a long session with the cost in a short session. Warms up in other sessions, fills
 * the long session, and then appends to the long session and to a short session by turns. Fails if a message in the
 * long session costs more.
 */
public final class SessionsBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "sessions",
            "the cost of a message in a long session of Agno's, beside a short one",
            """
                --messages 100000    messages of the long session; the short one has 100
                --window 200         messages that are appended to each of them in turn
                --rounds 5           windows of each session
                --warm-up 1000       messages in other sessions before
                --json FILE          file of the figures (target/bench/sessions.json)
            """,
            Plan::of,
            (plan, bench) -> new SessionsBench(plan, bench).measure());

    private static final int MESSAGES_PER_WARM_UP_SESSION = 100;

    /**
     * The parameters of a run.
     *
     * @param fewMessages the number of messages in a short session before its window
     */
    record Plan(int messages, int fewMessages, int window, int rounds, int warmUp, Path json) implements Scenario.Plan {
        private static final int FEW = 100;

        static Plan of(Flags flags) {
            return new Plan(
                    flags.number("messages", FEW, 10_000_000),
                    FEW,
                    flags.number("window", 1, 10_000),
                    flags.number("rounds", 1, 100),
                    flags.number("warm-up", 0, 100_000),
                    flags.path("json"));
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final SessionClient client;
    private final OperationCost.Meter meter;
    private final List<SessionsReport.Window> windows = new ArrayList<>();

    private SessionsBench(Plan plan, Workbench bench) throws SQLException {
        this.plan = plan;
        this.bench = bench;
        Cluster cluster = bench.keep(Cluster.single(bench.folder(), 1, Map.of()));
        this.client = bench.keep(new SessionClient(cluster.uri(), cluster.user(0)));
        this.meter = new OperationCost.Meter(cluster);
    }

    private SessionsReport measure() throws SQLException {
        bench.out().println("filling");
        client.fill("long", plan.messages());
        meter.execute("vacuum (analyze)");
        meter.execute("checkpoint");
        bench.out().println("warming up");
        for (int i = 0; i < plan.warmUp(); i++) {
            client.append("elsewhere-" + i / MESSAGES_PER_WARM_UP_SESSION, 1);
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            // Every round uses a new short session, because each window makes its session longer.
            String brief = "short-" + round;
            client.fill(brief, plan.fewMessages());
            measure(round, false, brief);
            measure(round, true, "long");
        }
        return new SessionsReport(bench.machine(), plan, List.copyOf(windows));
    }

    private void measure(int round, boolean isLong, String session) throws SQLException {
        int before = isLong ? plan.messages() + (round - 1) * plan.window() : plan.fewMessages();
        OperationCost cost = meter.measure(plan.window(), () -> client.append(session, plan.window()));
        windows.add(new SessionsReport.Window(round, isLong, before, cost));
        bench.out().printf("round %d, after %,d messages: %s%n", round, before, cost);
    }
}
