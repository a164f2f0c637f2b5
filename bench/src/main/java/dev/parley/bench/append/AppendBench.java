package dev.parley.bench.append;

import dev.parley.bench.rig.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The whole benchmark: warm up, then round after round each load in turn, so that all see the machine's moods alike. */
final class AppendBench {
    static final String EVEN = "HTTP, even";
    static final String HOT = "HTTP, one hot thread";

    private static final Duration WARM_WINDOW = Duration.ofSeconds(5);
    private static final int FLAT_WINDOWS = 3;
    private static final double FLAT = 1.1;
    private static final String WORDS = "a conversation is a log that people and agents append to ";

    private final AppendPlan plan;
    private final PrintStream out;
    private final String content;

    AppendBench(AppendPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
        this.content = WORDS.repeat(plan.contentBytes() / WORDS.length() + 1).substring(0, plan.contentBytes());
    }

    static String bare(int connections) {
        return "bare inserts, " + connections + " connections";
    }

    static String transaction(int connections) {
        return "transaction per message, " + connections + " connections";
    }

    static String pgbench(int clients) {
        return "pgbench inserts, " + clients + " clients";
    }

    AppendReport run() throws SQLException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        try (AppendRig rig = new AppendRig(plan)) {
            Meter meter = new Meter(rig, plan.checkpoint());
            warmUp(rig, meter);
            Optional<Pgbench> pgbench = Pgbench.find(rig, meter, plan);
            if (pgbench.isEmpty()) {
                out.println("pgbench: not found on the PATH");
            }
            List<Measured> windows = new ArrayList<>();
            for (int round = 1; round <= plan.rounds(); round++) {
                windows.addAll(round(rig, meter, pgbench, round));
            }
            return new AppendReport(machine, rig.postgresVersion(), plan, List.copyOf(windows));
        }
    }

    private List<Measured> round(AppendRig rig, Meter meter, Optional<Pgbench> pgbench, int round)
            throws SQLException, InterruptedException {
        int first = plan.connections().getFirst();
        List<Measured> windows = new ArrayList<>();
        windows.add(take(meter, EVEN, round, rig.posts(rig.threads(), plan.writers(), content)));
        for (int connections : plan.connections()) {
            windows.add(take(meter, bare(connections), round, yardstick(rig, JdbcLoad.Style.BARE_INSERT, connections)));
        }
        windows.add(take(meter, HOT, round, rig.posts(rig.threads().subList(0, 1), plan.writers(), content)));
        windows.add(take(meter, transaction(first), round, yardstick(rig, JdbcLoad.Style.TRANSACTION, first)));
        if (pgbench.isPresent()) {
            try {
                windows.add(say(pgbench.get().measure(pgbench(plan.writers()), round, plan.writers(), content)));
            } catch (IOException failed) {
                // A guest of the benchmark: without it the other figures stand.
                out.println(failed.getMessage());
            }
        }
        return windows;
    }

    private Load yardstick(AppendRig rig, JdbcLoad.Style style, int connections) throws SQLException {
        return new JdbcLoad(rig.yardstick(), style, connections, content);
    }

    private Measured take(Meter meter, String scenario, int round, Load load) throws InterruptedException {
        try (load) {
            return say(meter.measure(scenario, round, load, plan.leadIn(), plan.window()));
        }
    }

    private Measured say(Measured window) {
        out.printf(
                "round %d  %-42s %,9.0f/s  server %4.0f + PostgreSQL %4.0f µs each%s%n",
                window.round(),
                window.scenario(),
                window.perSecond(),
                window.serverMicros(),
                window.postgresMicros(),
                window.failures() == 0 ? "" : "  " + window.failures() + " FAILED: " + window.firstFailure());
        return window;
    }

    /** Until CPU per message is flat over three windows, but not for ever. */
    private void warmUp(AppendRig rig, Meter meter) throws InterruptedException {
        List<Double> costs = new ArrayList<>();
        long windows = plan.warmUp().dividedBy(WARM_WINDOW);
        try (Load load = rig.posts(rig.threads(), plan.writers(), content)) {
            while (costs.size() < windows && !flat(costs)) {
                Measured window = meter.measure("warm-up", costs.size() + 1, load, Duration.ZERO, WARM_WINDOW);
                costs.add(say(window).servingMicros());
            }
        }
        if (windows > 0 && !flat(costs)) {
            out.println("CPU per message was not flat yet when the warm-up ended; --warm-up makes it longer");
        }
    }

    private static boolean flat(List<Double> costs) {
        if (costs.size() < FLAT_WINDOWS) {
            return false;
        }
        List<Double> last = costs.subList(costs.size() - FLAT_WINDOWS, costs.size());
        double least = last.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double most = last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return most <= least * FLAT;
    }
}
