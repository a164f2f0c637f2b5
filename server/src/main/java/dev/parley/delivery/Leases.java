package dev.parley.delivery;

import dev.parley.storage.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Takes, keeps and gives back the leases of one table that has the columns {@code holder}, {@code held_until},
 * {@code next_at} and {@code failures}.
 */
final class Leases {
    private final Database database;
    private final String table;
    private final String key;
    private final Duration length;

    /**
     * @param table whose rows are leased
     * @param key its primary key
     */
    Leases(Database database, String table, String key, Duration length) {
        this.database = database;
        this.table = table;
        this.key = key;
        this.length = length;
    }

    Duration length() {
        return length;
    }

    /**
     * Takes rows that are due and that nobody holds.
     *
     * @param candidates a query for the keys of rows that have something to do
     * @param bind what that query needs
     */
    List<Lease> take(String candidates, UnaryOperator<Query> bind, int most) {
        UUID holder = UUID.randomUUID();
        AtomicLong sureUntil = sure();
        return database.once(handle -> bind.apply(handle.createQuery("""
                        update %1$s set holder = :holder, held_until = now() + :length * interval '1 millisecond'
                        where %2$s in (
                            select %2$s from %1$s
                            where %2$s in (%3$s) and next_at <= now() and (held_until is null or held_until < now())
                            order by next_at limit :most for update skip locked)
                        returning %2$s""".formatted(table, key, candidates)))
                .bind("holder", holder)
                .bind("length", length.toMillis())
                .bind("most", most)
                .mapTo(UUID.class)
                .map(id -> new Lease(id, holder, new AtomicLong(sureUntil.get())))
                .list());
    }

    /** Holds on to leases. What was lost is not got back: its next write fails. */
    void renew(Collection<Lease> held) {
        if (held.isEmpty()) {
            return;
        }
        List<Lease> leases = List.copyOf(held);
        long from = sure().get();
        Set<UUID> still = database.once(handle -> handle.createQuery("""
                        update %1$s set held_until = now() + :length * interval '1 millisecond'
                        from unnest(:ids::uuid[], :holders::uuid[]) as mine (id, holder)
                        where %1$s.%2$s = mine.id and %1$s.holder = mine.holder returning %1$s.%2$s""".formatted(table, key))
                .bind("length", length.toMillis())
                .bindArray("ids", UUID.class, leases.stream().map(Lease::id).toArray())
                .bindArray(
                        "holders",
                        UUID.class,
                        leases.stream().map(Lease::holder).toArray())
                .mapTo(UUID.class)
                .set());
        leases.stream()
                .filter(lease -> still.contains(lease.id()))
                .forEach(lease -> lease.sureUntil().set(from));
    }

    /** Three quarters of a lease from now: the rest is for clocks and pauses. */
    private AtomicLong sure() {
        return new AtomicLong(System.nanoTime() + length.toNanos() / 4 * 3);
    }

    /** Whether the lease is still this one's; locks its row until the transaction ends. */
    boolean isHeld(Handle handle, Lease lease) {
        return handle.createQuery(
                        "select 1 from %s where %s = :id and holder = :holder for update".formatted(table, key))
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** Gives a lease back; what waits there is done at once, or not before some time has passed. */
    void release(Lease lease, Duration pause, int failures) {
        database.once(handle -> handle.createUpdate("""
                        update %s set holder = null, held_until = null, failures = :failures,
                            next_at = now() + :pause * interval '1 millisecond'
                        where %s = :id and holder = :holder""".formatted(table, key))
                .bind("failures", failures)
                .bind("pause", pause.toMillis())
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .execute());
    }
}
