package dev.parley.app.metrics;

import dev.parley.storage.Database;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of open runs and deliveries by state, and the ages of the oldest run and delivery, for all nodes
 * together. Reads the database on demand, at most once a second.
 */
final class Backlog {
    private static final Duration FRESH = Duration.ofSeconds(1);
    /**
     * Counts runs and deliveries by state, and computes the ages of the oldest run and delivery. Each part of the
     * query has a partial index for exactly its rows. A failed delivery waits on purpose, so its age counts from the
     * time of its next attempt.
     */
    private static final String COUNTS = """
        select 'run ' || state as name, count(*)::float8 as n from runs
        where state in ('queued', 'running', 'waiting') group by state
        union all
        select 'delivery ' || state, count(*) from deliveries where state in ('waiting', 'sending') group by state
        union all
        select 'delivery ' || state, count(*) from deliveries where state in ('dead', 'uncertain') group by state
        union all
        select 'oldest run', extract(epoch from now() - min(created_at)) from runs
        where state = 'queued' and driver = 'node'
        union all
        select 'oldest delivery', extract(epoch from now() - min(greatest(d.created_at, t.next_at)))
        from deliveries d join destinations t using (destination_id)
        where d.state in ('waiting', 'sending') and t.next_at <= now()\
        """;

    private final CachedReading<Map<String, Double>> counts;

    Backlog(Database database) {
        this.counts = new CachedReading<>(
                () -> database.read(handle -> {
                    Map<String, Double> values = new HashMap<>();
                    handle.createQuery(COUNTS)
                            .map((row, context) -> Map.entry(row.getString("name"), row.getDouble("n")))
                            .forEach(each -> values.put(each.getKey(), each.getValue()));
                    return Map.copyOf(values);
                }),
                FRESH);
    }

    double count(String kind, String state) {
        return figure(kind + " " + state);
    }

    /** The age in seconds of the oldest item of a kind; 0 if there is none. */
    double oldest(String kind) {
        return figure("oldest " + kind);
    }

    /** The value with this name; NaN while the database does not answer. */
    private double figure(String name) {
        return counts.now()
                .map(known -> Math.max(0, known.getOrDefault(name, 0.0)))
                .orElse(Double.NaN);
    }
}
