package dev.parley.sessions;

import dev.parley.auth.Principal;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Counts the messages, runs and usage of a session. Everything is counted on request; no stored counter can drift. */
public final class SessionMetrics {
    private final Database database;
    private final SessionAccess access;

    SessionMetrics(Database database, SessionAccess access) {
        this.database = database;
        this.access = access;
    }

    /**
     * @param usage the token counts, by Agno's names for the counts
     * @param costs the costs by currency; amounts of different currencies are never added
     */
    public record Figures(
            long messages,
            long runs,
            Map<String, BigInteger> usage,
            Map<String, BigDecimal> costs,
            List<ModelUsage> models) {}

    /**
     * The usage of one model, at prices of one currency.
     *
     * @param model null if the model was not named
     * @param cost null if no price is known
     */
    public record ModelUsage(
            @Nullable String model,
            @Nullable String provider,
            Map<String, BigInteger> usage,
            @Nullable BigDecimal cost,
            @Nullable String currency) {}

    public Figures of(Principal caller, String sessionId) {
        ThreadId thread = access.readable(caller, sessionId);
        // All statements read one snapshot, so that their counts are consistent.
        return database.read(handle -> handle.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, now -> {
            List<SessionSpending.Used> spent = SessionSpending.byModel(now, thread);
            Map<String, BigInteger> usage = new LinkedHashMap<>();
            Map<String, BigDecimal> costs = new TreeMap<>();
            SessionSpending.COUNTS.forEach(name -> usage.put(name, BigInteger.ZERO));
            for (SessionSpending.Used each : spent) {
                each.counts().forEach((name, count) -> usage.merge(name, count, BigInteger::add));
                if (each.cost() != null && each.currency() != null) {
                    costs.merge(each.currency(), each.cost(), BigDecimal::add);
                }
            }
            return new Figures(
                    count(now, "select count(*) from entries where thread_id = :thread and kind = 0", thread),
                    count(now, "select count(*) from session_runs where thread_id = :thread", thread),
                    usage,
                    costs,
                    spent.stream().map(SessionMetrics::ofModel).toList());
        }));
    }

    private static ModelUsage ofModel(SessionSpending.Used used) {
        return new ModelUsage(used.model(), used.provider(), used.counts(), used.cost(), used.currency());
    }

    private static long count(Handle handle, String query, ThreadId thread) {
        return handle.createQuery(query)
                .bind("thread", thread.value())
                .mapTo(Long.class)
                .one();
    }
}
