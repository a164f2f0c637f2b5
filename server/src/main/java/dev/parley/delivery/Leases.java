package dev.parley.delivery;

import dev.parley.limits.FairShares;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Takes, renews and releases the leases of one table with the columns {@code holder}, {@code held_until}, {@code
 * next_at} and {@code failures}.
 */
final class Leases {
    /** Limit of the rows in one query. */
    private static final int MAX_ROWS = 1_000;

    private final Database database;
    private final String table;
    private final String key;
    private final String sharer;
    private final Duration length;

    /**
     * @param table the table with the leased rows
     * @param key its primary key
     * @param sharer the SQL expression for the owner or workspace whose share of the slots a row uses
     */
    Leases(Database database, String table, String key, String sharer, Duration length) {
        this.database = database;
        this.table = table;
        this.key = key;
        this.sharer = sharer;
        this.length = length;
    }

    Duration length() {
        return length;
    }

    /** A due row without a holder. */
    private record Due(UUID id, String sharer, ThreadId thread) {}

    /**
     * The taken leases, each with a slot.
     *
     * @param leftBack the threads of other due rows, whose sharers got no slot
     * @param more true if the query did not return all due rows
     */
    record LeaseResult(List<Lease> leases, List<ThreadId> leftBack, boolean more) {
        static final LeaseResult NONE = new LeaseResult(List.of(), List.of(), false);
    }

    /**
     * Takes due rows without a holder, from all sharers in turn, the longest due first.
     *
     * @param candidates a query for the keys of rows with work
     * @param bind binds the arguments of that query
     * @param slots the slots that the leases use; the caller gives them back
     */
    LeaseResult take(String candidates, UnaryOperator<Query> bind, FairShares<String> slots) {
        List<Due> due = due(candidates, bind);
        List<Due> granted = new ArrayList<>();
        List<ThreadId> leftBack = new ArrayList<>();
        for (Due each : due) {
            if (slots.tryTake(each.sharer())) {
                granted.add(each);
            } else {
                leftBack.add(each.thread());
            }
        }
        List<Lease> leases = List.of();
        try {
            leases = granted.isEmpty() ? List.of() : take(granted);
        } finally {
            // Gives back the slots of rows that another node has taken meanwhile.
            Set<UUID> taken = leases.stream().map(Lease::id).collect(Collectors.toSet());
            granted.stream().filter(each -> !taken.contains(each.id())).forEach(each -> slots.giveBack(each.sharer()));
        }
        return new LeaseResult(leases, leftBack, due.size() == MAX_ROWS);
    }

    private List<Due> due(String candidates, UnaryOperator<Query> bind) {
        return database.read(handle -> bind.apply(handle.createQuery("""
                        select id, sharer, thread_id from (
                            select %2$s as id, %3$s as sharer, thread_id, next_at,
                                row_number() over (partition by %3$s order by next_at) as turn
                            from %1$s
                            where %2$s in (%4$s) and next_at <= now() and (held_until is null or held_until < now())
                        ) as due
                        order by turn, next_at limit :most""".formatted(table, key, sharer, candidates)))
                .bind("most", MAX_ROWS)
                .map((row, context) -> new Due(
                        row.getObject("id", UUID.class),
                        row.getString("sharer"),
                        new ThreadId(row.getObject("thread_id", UUID.class))))
                .list());
    }

    private List<Lease> take(List<Due> granted) {
        UUID holder = UUID.randomUUID();
        AtomicLong sureUntil = sureUntil();
        Map<UUID, String> sharers = granted.stream().collect(Collectors.toMap(Due::id, Due::sharer));
        return database.once(handle -> handle.createQuery("""
                        update %1$s set holder = :holder, held_until = now() + :length * interval '1 millisecond'
                        where %2$s in (
                            select %2$s from %1$s
                            where %2$s = any (:ids) and next_at <= now() and (held_until is null or held_until < now())
                            for update skip locked)
                        returning %2$s""".formatted(table, key))
                .bind("holder", holder)
                .bind("length", length.toMillis())
                .bindArray("ids", UUID.class, sharers.keySet().toArray())
                .mapTo(UUID.class)
                .map(id ->
                        new Lease(id, holder, Objects.requireNonNull(sharers.get(id)), new AtomicLong(sureUntil.get())))
                .list());
    }

    /** Renews leases. A lost lease is not taken again; its next write fails. */
    void renew(Collection<Lease> held) {
        if (held.isEmpty()) {
            return;
        }
        List<Lease> leases = List.copyOf(held);
        long from = sureUntil().get();
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

    /** Three quarters of a lease from now; the rest covers clock drift and pauses. */
    private AtomicLong sureUntil() {
        return new AtomicLong(System.nanoTime() + length.toNanos() / 4 * 3);
    }

    /** True if the lease is still held; locks its row until the transaction ends. */
    boolean isHeld(Handle handle, Lease lease) {
        return handle.createQuery(
                        "select 1 from %s where %s = :id and holder = :holder for update".formatted(table, key))
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** Releases a lease; its row is due again after the pause. */
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
