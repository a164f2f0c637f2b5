package dev.parley.bench.turn;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ApiCaller;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.RunClient;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.UsageException;
import dev.parley.bench.rig.Workbench;
import dev.parley.bench.rig.Workers;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.ScriptedModel;
import dev.parley.testkit.models.Wire;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Measures turns of the demo agent and of a model agent with a scripted provider. The measured turns follow each other
 * in one conversation, at its beginning and later on, or belong to several conversations at a time. The first
 * measurement uses a JVM that has just started. All others use a warm JVM.
 */
public final class TurnBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "turn",
            "what one turn costs: CPU, WAL and statements, alone, late in a conversation, and beside others",
            """
                --turns 20           turns that are averaged, at each place of a conversation
                --late 281           first turn of the later ones
                --at-once 16         conversations side by side
                --rounds 3           measurements of each kind; the median is printed
                --warm-up 1000       turns before the warm JVM is measured
                --json FILE          where the figures are saved (target/bench/turn.json)
            """,
            Plan::of,
            (plan, bench) -> new TurnBench(plan, bench).measure());

    private static final String QUESTION = "what did we say about the weather?";
    private static final List<String> ANSWER =
            List.of("We ", "said ", "that ", "it ", "will ", "rain ", "all ", "day.");
    private static final String PROVIDER_KEY = "sk-bench";

    record Plan(int turns, int late, int atOnce, int rounds, int warmUp, Path json) implements Scenario.Plan {
        static Plan of(Flags flags) {
            Plan plan = new Plan(
                    flags.number("turns", 1, 10_000),
                    flags.number("late", 1, 100_000),
                    flags.number("at-once", 1, 1_000),
                    flags.number("rounds", 1, 100),
                    flags.number("warm-up", 0, 1_000_000),
                    flags.path("json"));
            if (plan.late() < plan.turns() + 2) {
                throw new UsageException("--late has to come after the first turns.");
            }
            return plan;
        }

        /** The first turn is not counted: it creates the thread, and the agent joins. */
        String early() {
            return "2–" + (1 + turns);
        }

        String lateTurns() {
            return late + "–" + (late + turns - 1);
        }
    }

    static String kind(String jvm, String turns) {
        return jvm + ", turns " + turns;
    }

    private final Plan plan;
    private final Workbench bench;
    private final Cluster cluster;
    private final RunClient client;
    private final Connection statistics;
    private final String modelAgent;

    private TurnBench(Plan plan, Workbench bench) throws SQLException {
        this.plan = plan;
        this.bench = bench;
        this.cluster = bench.keep(Cluster.single(
                bench.folder(),
                1,
                Map.of("shared_preload_libraries", "pg_stat_statements"),
                accounts -> Map.of(
                        "PARLEY_OPERATORS",
                        accounts.users().getFirst().id().toString(),
                        "PARLEY_SECRET_PROVIDER_KEY",
                        PROVIDER_KEY)));
        Accounts.User user = cluster.user(0);
        this.client = bench.keep(new RunClient(cluster.uri(), user));
        this.statistics = cluster.connect();
        execute("create extension if not exists pg_stat_statements");
        ScriptedModel model = bench.keep(ScriptedModel.start(Wire.OPENAI));
        model.otherwise(request -> Script.answer().text(ANSWER.toArray(String[]::new)));
        try (ApiCaller caller = new ApiCaller(cluster.uri(), user, Duration.ofSeconds(30))) {
            this.modelAgent = registerModel(caller, model);
        }
    }

    private static String registerModel(ApiCaller operator, ScriptedModel model) {
        String answer = operator.prepare(
                "/api/v1/owner/agents",
                Map.of(
                        "kind",
                        "model",
                        "display_name",
                        "Talker",
                        "config",
                        Map.of(
                                "provider",
                                "openai",
                                "model",
                                "talker",
                                "base_url",
                                model.baseUrl(),
                                "api_key",
                                "${secret:PROVIDER_KEY}")));
        return Json.MAPPER.readTree(answer).path("agent_id").asString();
    }

    private TurnReport measure() throws SQLException, InterruptedException {
        List<TurnReport.Window> windows = new ArrayList<>();
        windows.add(one("demo", "young", "1–" + plan.turns(), null, ThreadId.fresh(), plan.turns(), 1));
        bench.out().println("warming up");
        for (int i = 0; i < plan.warmUp(); i += plan.turns()) {
            converse(ThreadId.fresh(), plan.turns(), i % (2 * plan.turns()) == 0 ? null : modelAgent);
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            // After a checkpoint, the first change to a page writes the whole page into the WAL. Every round therefore
            // begins with a checkpoint.
            execute("checkpoint");
            conversation("demo", null, round, windows);
            conversation("model", modelAgent, round, windows);
            windows.add(sideBySide("demo", null, round));
            windows.add(sideBySide("model", modelAgent, round));
        }
        return new TurnReport(bench.machine(), plan, List.copyOf(windows));
    }

    private void conversation(String name, @Nullable String agent, int round, List<TurnReport.Window> windows)
            throws SQLException, InterruptedException {
        ThreadId thread = ThreadId.fresh();
        // The first turn creates the thread and lets the agent join.
        converse(thread, 1, agent);
        windows.add(one(name, "warm", plan.early(), agent, thread, plan.turns(), round));
        converse(thread, plan.late() - plan.turns() - 2, agent);
        windows.add(one(
                name,
                "warm",
                plan.late() + "–" + (plan.late() + plan.turns() - 1),
                agent,
                thread,
                plan.turns(),
                round));
    }

    private void converse(ThreadId thread, int turns, @Nullable String agent) {
        for (int i = 0; i < turns; i++) {
            client.turn(thread, agent, QUESTION);
        }
    }

    private TurnReport.Window one(
            String agent, String jvm, String turns, @Nullable String id, ThreadId thread, int count, int round)
            throws SQLException, InterruptedException {
        return window(agent, kind(jvm, turns), round, count, times -> {
            for (int i = 0; i < count; i++) {
                timed(thread, id, times);
            }
        });
    }

    private TurnReport.Window sideBySide(String agent, @Nullable String id, int round)
            throws SQLException, InterruptedException {
        List<ThreadId> threads = new ArrayList<>();
        for (int i = 0; i < plan.atOnce(); i++) {
            threads.add(ThreadId.fresh());
        }
        threads.forEach(thread -> converse(thread, 1, id));
        int count = plan.turns() * plan.atOnce();
        return window(agent, "warm, " + plan.atOnce() + " at a time", round, count, times -> {
            Workers workers = new Workers();
            for (ThreadId thread : threads) {
                workers.start("conversation", () -> {
                    for (int i = 0; i < plan.turns(); i++) {
                        timed(thread, id, times);
                    }
                });
            }
            workers.join();
        });
    }

    private void timed(ThreadId thread, @Nullable String agent, Histogram times) {
        long begun = System.nanoTime();
        client.turn(thread, agent, QUESTION);
        times.recordValue((System.nanoTime() - begun) / 1_000);
    }

    private interface Turns {
        void run(Histogram times) throws InterruptedException;
    }

    private TurnReport.Window window(String agent, String kind, int round, int count, Turns turns)
            throws SQLException, InterruptedException {
        Histogram times = new ConcurrentHistogram(3);
        execute("select pg_stat_statements_reset()");
        long wal = Cluster.walBytes(statistics);
        CpuUse before = cluster.used();
        long begun = System.nanoTime();
        turns.run(times);
        double seconds = (System.nanoTime() - begun) / 1e9;
        CpuUse.Each each = cluster.used().since(before).per(count);
        double bytes = Cluster.walBytes(statistics) - wal;
        TurnReport.Window window = new TurnReport.Window(
                agent,
                kind,
                round,
                new OperationCost(each.servers(), each.database(), bytes / count),
                statements() / count,
                count / seconds,
                Latencies.ofMicros(times));
        bench.out().printf("%s, %s, round %d: %s%n", agent, kind, round, window.cost());
        return window;
    }

    /**
     * The number of statements that PostgreSQL has carried out since the last reset, except the statements of the
     * measurement.
     */
    private double statements() throws SQLException {
        try (Statement statement = statistics.createStatement();
                ResultSet row = statement.executeQuery("""
                        select coalesce(sum(calls), 0) from pg_stat_statements
                        where query not like '%pg_stat_statements%' and query not like '%pg_current_wal%'""")) {
            row.next();
            return row.getDouble(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = statistics.createStatement()) {
            statement.execute(sql);
        }
    }
}
