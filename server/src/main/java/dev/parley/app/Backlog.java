package dev.parley.app;

import dev.parley.storage.Database;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many runs and deliveries are open, by state. Read when asked for, once a second at most; while the database does
 * not answer in time the last numbers stand.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Each part finds its rows by an index of just these. */
    private static final String COUNTS = """
            select 'run ' || state as name, count(*) as n from runs
            where state in ('queued', 'running', 'waiting') group by state
            union all
            select 'delivery ' || state, count(*) from deliveries where state in ('waiting', 'sending') group by state
            union all
            select 'delivery ' || state, count(*) from deliveries where state in ('dead', 'uncertain') group by state""";

    private final Database database;
    private volatile Map<String, Long> counts = Map.of();
    private long asked = System.nanoTime() - FRESH.toNanos() - 1;

    Backlog(Database database) {
        this.database = database;
    }

    synchronized double count(String kind, String state) {
        if (System.nanoTime() - asked > FRESH.toNanos()) {
            CompletableFuture<Void> read = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                read();
                read.complete(null);
            });
            read.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            asked = System.nanoTime();
        }
        return counts.getOrDefault(kind + " " + state, 0L);
    }

    private void read() {
        try {
            counts = database.read(handle -> {
                Map<String, Long> found = new HashMap<>();
                handle.createQuery(COUNTS)
                        .map((row, context) -> Map.entry(row.getString("name"), row.getLong("n")))
                        .forEach(each -> found.put(each.getKey(), each.getValue()));
                return Map.copyOf(found);
            });
        } catch (RuntimeException unavailable) {
            LOG.debug("What waits could not be counted: {}", unavailable.toString());
        }
    }
}
