package dev.parley.app.metrics;

import dev.parley.storage.Database;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How many runs and deliveries are open, by state, and for how long the oldest have been waiting, on all nodes together.
 * Read when asked for, once a second at most.
 */
final class Backlog {
    private static final Duration FRESH = Duration.ofSeconds(1);
    /** Each part finds its rows by an index of just these. What failed waits on purpose, and is not due before its time. */
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
                    Map<String, Double> found = new HashMap<>();
                    handle.createQuery(COUNTS)
                            .map((row, context) -> Map.entry(row.getString("name"), row.getDouble("n")))
                            .forEach(each -> found.put(each.getKey(), each.getValue()));
                    return Map.copyOf(found);
                }),
                FRESH);
    }

    double count(String kind, String state) {
        return figure(kind + " " + state);
    }

    /** For how many seconds the oldest of a kind has been waiting; 0 if none is. */
    double oldest(String kind) {
        return figure("oldest " + kind);
    }

    /** No number while the database does not answer. */
    private double figure(String name) {
        return counts.now()
                .map(known -> Math.max(0, known.getOrDefault(name, 0.0)))
                .orElse(Double.NaN);
    }
}
