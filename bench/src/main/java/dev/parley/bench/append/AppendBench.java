package dev.parley.bench.append;

import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.PostRequest;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Workbench;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares messages over HTTP with bare inserts. After a warm-up, each round measures all loads in turn. The server and
 * the yardsticks share one PostgreSQL, and therefore all loads see the same state of the machine.
 */
public final class AppendBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "append",
            "messages over HTTP against bare inserts, side by side",
            """
                --seconds 15         length of each measured window
                --writers 256        HTTP connections that post, one message under way on each
                --threads 1000       threads they post to
                --rounds 3           windows of each load
                --content-bytes 200  length of a message
                --connections 64,256 connections of the bare inserts, one yardstick for each number
                --warm-up 60         longest time, in seconds, to wait until CPU per message is flat
                --checkpoint on      begin each window with a checkpoint
                --json FILE          file of the figures (target/bench/append.json)
            """,
            Plan::of,
            (plan, bench) -> new AppendBench(plan, bench).measure());

    static final String EVEN = "HTTP, even";
    static final String HOT = "HTTP, one hot thread";

    private static final Duration WARM_WINDOW = Duration.ofSeconds(5);
    private static final int FLAT_WINDOWS = 3;
    private static final double FLAT = 1.1;
    /** Enough users for a realistic membership look-up, and few enough to create the threads quickly. */
    private static final int USERS = 8;
    /** Connections for the server, for maintenance and for queries of the benchmark itself. */
    private static final int OTHER_CONNECTIONS = 40;

    record Plan(
            Duration window,
            int writers,
            int threads,
            int rounds,
            int contentBytes,
            List<Integer> connections,
            Duration warmUp,
            boolean checkpoint,
            Path json)
            implements Scenario.Plan {
        static Plan of(Flags flags) {
            return new Plan(
                    flags.seconds("seconds", 1, 3_600),
                    flags.number("writers", 1, 10_000),
                    flags.number("threads", 1, 100_000),
                    flags.number("rounds", 1, 100),
                    flags.number("content-bytes", 1, 5_000),
                    flags.numbers("connections", 1, 1_000),
                    flags.seconds("warm-up", 0, 3_600),
                    flags.on("checkpoint"),
                    flags.path("json"));
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final String content;
    private final Cluster cluster;
    private final List<ThreadId> threads;
    private final Yardstick yardstick;
    private final Meter meter;
    private final Optional<Pgbench> pgbench;

    private AppendBench(Plan plan, Workbench bench) throws SQLException {
        this.plan = plan;
        this.bench = bench;
        this.content = PostRequest.content(plan.contentBytes());
        int connections = Math.max(plan.writers(), Collections.max(plan.connections())) + OTHER_CONNECTIONS;
        this.cluster = bench.keep(
                Cluster.single(bench.folder(), USERS, Map.of("max_connections", Integer.toString(connections))));
        this.threads = cluster.accounts().makeThreads(cluster.uri(), plan.threads());
        this.yardstick = Yardstick.prepare(cluster.database(), threads);
        this.meter = new Meter(bench, cluster, plan.checkpoint());
        this.pgbench = Pgbench.find(bench.folder(), cluster, meter, plan);
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

    private AppendReport measure() throws SQLException, IOException, InterruptedException {
        warmUp();
        if (pgbench.isEmpty()) {
            bench.out().println("pgbench: not found on the PATH");
        }
        List<AppendReport.Window> windows = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            round(round, windows);
        }
        return new AppendReport(bench.machine(), postgresVersion(), plan, List.copyOf(windows));
    }

    private void round(int round, List<AppendReport.Window> windows)
            throws SQLException, IOException, InterruptedException {
        int first = plan.connections().getFirst();
        windows.add(take(EVEN, round, posts(threads)));
        for (int connections : plan.connections()) {
            windows.add(take(bare(connections), round, inserts(JdbcLoad.Style.BARE_INSERT, connections)));
        }
        windows.add(take(HOT, round, posts(threads.subList(0, 1))));
        windows.add(take(transaction(first), round, inserts(JdbcLoad.Style.TRANSACTION, first)));
        if (pgbench.isPresent()) {
            try {
                windows.add(print(pgbench.get().measure(pgbench(plan.writers()), round, plan.writers(), content)));
            } catch (IOException failed) {
                // The other figures are valid without pgbench, which is optional.
                bench.out().println(failed.getMessage());
            }
        }
    }

    private AppendLoad posts(List<ThreadId> to) {
        return new HttpLoad(cluster.uri(), cluster.accounts().users(), to, plan.writers(), content);
    }

    private AppendLoad inserts(JdbcLoad.Style style, int connections) throws SQLException {
        return new JdbcLoad(yardstick, style, connections, content);
    }

    private AppendReport.Window take(String scenario, int round, AppendLoad load)
            throws IOException, InterruptedException {
        try (load) {
            return print(meter.measure(scenario, round, load, plan.window()));
        }
    }

    private AppendReport.Window print(AppendReport.Window window) {
        bench.out()
                .printf(
                        "round %d  %-42s %,9.0f/s  server %4.0f + PostgreSQL %4.0f µs each%s%n",
                        window.round(),
                        window.scenario(),
                        window.perSecond(),
                        window.serverMicros(),
                        window.postgresMicros(),
                        window.failures() == 0 ? "" : "  " + window.failures() + " FAILED: " + window.firstFailure());
        return window;
    }

    /** Runs until the CPU time per message is flat over three windows, or until the time for the warm-up is over. */
    private void warmUp() throws IOException, InterruptedException {
        List<Double> costs = new ArrayList<>();
        long windows = plan.warmUp().dividedBy(WARM_WINDOW);
        try (AppendLoad load = posts(threads)) {
            while (costs.size() < windows && !flat(costs)) {
                AppendReport.Window window =
                        meter.measure("warm-up", costs.size() + 1, load, Duration.ZERO, WARM_WINDOW);
                costs.add(print(window).servingMicros());
            }
        }
        if (windows > 0 && !flat(costs)) {
            bench.out().println("CPU per message was not flat yet when the warm-up ended; --warm-up makes it longer");
        }
    }

    private static boolean flat(List<Double> costs) {
        if (costs.size() < FLAT_WINDOWS) {
            return false;
        }
        List<Double> last = costs.subList(costs.size() - FLAT_WINDOWS, costs.size());
        return Collections.max(last) <= Collections.min(last) * FLAT;
    }

    private String postgresVersion() throws SQLException {
        try (Statement statement = cluster.connect().createStatement();
                ResultSet row = statement.executeQuery("show server_version")) {
            return row.next() ? row.getString(1) : "unknown";
        }
    }
}
