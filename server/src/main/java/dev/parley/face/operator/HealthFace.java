package dev.parley.face.operator;

import dev.parley.attachments.Attachments;
import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Gate;
import dev.parley.http.Routes;
import dev.parley.log.Log;
import dev.parley.nodes.Nodes;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The routes of liveness, readiness and metrics. */
public final class HealthFace {
    private static final Duration CHECK_LIMIT = Duration.ofSeconds(3);
    private static final Duration CHECK_AGAIN = Duration.ofSeconds(1);

    private final Database database;
    private final Attachments attachments;
    private final Log log;
    private final BooleanSupplier busIsLate;
    private final Nodes nodes;
    private final Supplier<String> metrics;
    private final Gate<Principal> gate;
    private final String version;
    private String store = "unavailable";
    private long storeChecked = System.nanoTime() - CHECK_AGAIN.toNanos() - 1;

    /** @param busIsLate true if hints between nodes are late; late hints are reported, but the node stays ready */
    public HealthFace(
            Database database,
            Attachments attachments,
            Log log,
            BooleanSupplier busIsLate,
            Nodes nodes,
            Supplier<String> metrics,
            Gate<Principal> gate,
            String version) {
        this.database = database;
        this.attachments = attachments;
        this.log = log;
        this.busIsLate = busIsLate;
        this.nodes = nodes;
        this.metrics = metrics;
        this.gate = gate;
        this.version = version;
    }

    public void addTo(Routes<Principal> routes) {
        routes.alwaysGet("/health", this::live)
                .openGet("/health/ready", this::ready)
                .openGet("/metrics", this::metrics);
    }

    private Answer live(Call<Anyone> call) {
        return Answer.ok(Map.of("status", "ok", "service", "parley", "version", version));
    }

    private Answer ready(Call<Anyone> call) {
        if (nodes.isStopping()) {
            // The node still serves, but a balancer should send it no more requests.
            throw new ProblemException(
                    Problem.SHUTTING_DOWN,
                    "This server is stopping.",
                    List.of(),
                    Map.of("checks", Map.of("node", "stopping")));
        }
        Map<String, String> checks = new LinkedHashMap<>();
        // The checks run in parallel, so that two hanging checks take no longer than one.
        CompletableFuture<String> database = async(this::database);
        CompletableFuture<String> storage = async(this::storage);
        checks.put("database", database.join());
        checks.put("lanes", log.alive() ? "ok" : "stopped");
        checks.put("storage", storage.join());
        boolean ready = checks.values().stream().allMatch("ok"::equals);
        // A late bus is only reported. A node that misses hints still serves, and all nodes miss hints at the same
        // time.
        checks.put("bus", busIsLate.getAsBoolean() ? "late" : "ok");
        if (!ready) {
            throw new ProblemException(
                    isOk(checks, "database") && isOk(checks, "lanes")
                            ? Problem.STORAGE_UNAVAILABLE
                            : Problem.DATABASE_UNAVAILABLE,
                    "This server cannot serve right now.",
                    List.of(),
                    Map.of("checks", checks));
        }
        return Answer.ok(Map.of("status", "ok", "checks", checks));
    }

    private static boolean isOk(Map<String, String> checks, String name) {
        return "ok".equals(checks.get(name));
    }

    /** Runs a check in its own thread, since a check that hangs must not keep the caller waiting. */
    private static CompletableFuture<String> async(Supplier<String> check) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(check.get());
            } catch (RuntimeException unavailable) {
                answer.complete("unavailable");
            }
        });
        return answer.completeOnTimeout("does not answer", CHECK_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String database() {
        String synchronous = database.read(handle -> handle.createQuery("show synchronous_commit")
                .mapTo(String.class)
                .one());
        return synchronous.equals("off") ? "synchronous_commit is off" : "ok";
    }

    /**
     * The state of the store. It is checked at most once a second, because any caller may ask and each check writes to
     * the store.
     */
    private synchronized String storage() {
        if (System.nanoTime() - storeChecked > CHECK_AGAIN.toNanos()) {
            store = "unavailable";
            storeChecked = System.nanoTime();
            attachments.checkStore();
            store = "ok";
        }
        return store;
    }

    /** Metrics reveal users and load. Callers on this machine may read them, and operators from anywhere. */
    private Answer metrics(Call<Anyone> call) {
        if (!call.head().isLocalCall() && !gate.admit(call.head()).isOperator()) {
            throw new ProblemException(Problem.FORBIDDEN, "Metrics are served to this machine and to operators.");
        }
        return Answer.text("text/plain; version=0.0.4; charset=utf-8", metrics.get());
    }
}
