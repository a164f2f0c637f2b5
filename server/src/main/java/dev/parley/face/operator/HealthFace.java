package dev.parley.face.operator;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Anyone;
import dev.parley.http.Call;
import dev.parley.http.Gate;
import dev.parley.http.Routes;
import dev.parley.log.Log;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/** Is it alive, can it serve, and how is it doing. */
public final class HealthFace {
    private final Database database;
    private final Log log;
    private final PrometheusMeterRegistry metrics;
    private final Gate<Principal> gate;
    private final String version;

    public HealthFace(
            Database database, Log log, PrometheusMeterRegistry metrics, Gate<Principal> gate, String version) {
        this.database = database;
        this.log = log;
        this.metrics = metrics;
        this.gate = gate;
        this.version = version;
    }

    public void addTo(Routes<Principal> routes) {
        routes.openGet("/health", this::live)
                .openGet("/health/ready", this::ready)
                .openGet("/metrics", this::metrics);
    }

    private Answer live(Call<Anyone> call) {
        return Answer.ok(Map.of("status", "ok", "service", "parley", "version", version));
    }

    private Answer ready(Call<Anyone> call) {
        Map<String, String> checks = new LinkedHashMap<>();
        checks.put("database", database());
        checks.put("lanes", log.alive() ? "ok" : "stopped");
        boolean ready = checks.values().stream().allMatch("ok"::equals);
        return Answer.of(ready ? 200 : 503, Map.of("status", ready ? "ok" : "unavailable", "checks", checks));
    }

    private String database() {
        try {
            String synchronous = database.read(handle -> handle.createQuery("show synchronous_commit")
                    .mapTo(String.class)
                    .one());
            return synchronous.equals("off") ? "synchronous_commit is off" : "ok";
        } catch (ProblemException unavailable) {
            return "unavailable";
        }
    }

    /** Figures tell of users and load: this machine may read them, and operators from anywhere. */
    private Answer metrics(Call<Anyone> call) {
        boolean local = call.head().fromThisMachine() && !call.head().cameThroughAProxy();
        if (!local && !gate.admit(call.head()).isOperator()) {
            throw new ProblemException(Problem.FORBIDDEN, "Metrics are served to this machine and to operators.");
        }
        return Answer.text("text/plain; version=0.0.4; charset=utf-8", metrics.scrape());
    }
}
