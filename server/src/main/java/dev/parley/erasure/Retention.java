package dev.parley.erasure;

import dev.parley.auth.Audit;
import dev.parley.contexts.Contexts;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases expired data: the messages of threads after the thread's or the server's days, and the contexts of models
 * after their own days. One node at a time sweeps, at intervals; a sweep without work takes two queries.
 */
public final class Retention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    /** Shorter than the interval, so that the node of the last sweep may sweep again. */
    private static final Duration PAUSE = Duration.ofMinutes(9);

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LAST_PIECE = Duration.ofSeconds(5);
    private static final int PIECE = 1_000;

    private final Database database;
    private final ErasureStore store;
    private final ThreadEraser threads;
    private final Contexts contexts;
    private final Audit audit;
    private final Days days;
    private final Clock clock;
    private final UUID holder = UUID.randomUUID();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-retention").daemon().factory());
    private volatile boolean closed;

    /**
     * The days after which data is erased.
     *
     * @param messages the days for messages; null if messages are never erased
     */
    public record Days(@Nullable Integer messages, int contexts) {}

    /**
     * The retention of a thread's messages.
     *
     * @param ownDays the days set for this thread; null for the server's default
     * @param days the days in effect; null if messages are never erased
     */
    public record ThreadRetention(
            ThreadId thread,
            @Nullable Integer ownDays,
            @Nullable Integer days) {}

    Retention(
            Database database,
            ErasureStore store,
            ThreadEraser threads,
            Contexts contexts,
            Audit audit,
            Days days,
            Clock clock) {
        this.database = database;
        this.audit = audit;
        this.store = store;
        this.threads = threads;
        this.contexts = contexts;
        this.days = days;
        this.clock = clock;
        worker.scheduleWithFixedDelay(this::trySweep, FIRST.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    void set(Handle handle, ThreadId thread, @Nullable Integer ownDays) {
        handle.createUpdate("update threads set retention_days = :days::int where thread_id = :thread")
                .bind("days", ownDays)
                .bind("thread", thread.value())
                .execute();
    }

    ThreadRetention of(Handle handle, ThreadId thread) {
        Integer own = handle.createQuery("select retention_days from threads where thread_id = :thread")
                .bind("thread", thread.value())
                .map((row, context) -> Optional.ofNullable(row.getObject(1, Integer.class)))
                .one()
                .orElse(null);
        return new ThreadRetention(thread, own, own == null ? days.messages() : own);
    }

    private void trySweep() {
        try {
            if (!sweep()) {
                LOG.debug("Another node sweeps expired data");
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("Could not sweep expired data; retrying on the next pass: {}", unavailable.toString());
        }
    }

    /** Erases everything that is due; false if another node sweeps, or this one stops. */
    public boolean sweep() {
        if (!store.takeRetention(holder, LEASE)) {
            return false;
        }
        while (contexts.forgetBefore(clock.instant().minus(Duration.ofDays(days.contexts()))) > 0) {
            if (!mayContinue()) {
                return false;
            }
        }
        Optional<UUID> last = lastOfPage(new UUID(0, 0));
        UUID after = new UUID(0, 0);
        while (last.isPresent()) {
            if (!erase(due(after, last.get())) || !mayContinue()) {
                return false;
            }
            after = last.get();
            last = lastOfPage(after);
        }
        // Keeps the lease for a while, so that no other node sweeps so soon.
        return store.lease(ErasureTask.RETENTION, holder, PAUSE);
    }

    /** Renews the lease; false if the server stops, or another node has the lease. */
    private boolean mayContinue() {
        return !closed && store.lease(ErasureTask.RETENTION, holder, LEASE);
    }

    /** The last thread of the next page. A page has a bounded number of threads, and therefore so has each query. */
    private Optional<UUID> lastOfPage(UUID after) {
        return database.read(handle -> handle.createQuery("""
                        select thread_id from (
                            select t.thread_id from threads t where %s and t.thread_id > :after
                            order by t.thread_id limit :limit) as page
                        order by thread_id desc limit 1""".formatted(withRetention()))
                .bind("after", after)
                .bind("limit", PIECE)
                .mapTo(UUID.class)
                .findOne());
    }

    /** The condition for threads with a retention. */
    private String withRetention() {
        return days.messages() == null ? "t.retention_days is not null" : "true";
    }

    /** A thread with expired messages, and the time before which messages are expired. */
    private record Due(ThreadId thread, Instant before) {}

    /**
     * The threads with expired data. Only the first unchecked entry and the first unchecked announcement of a thread
     * are compared, because later ones are younger.
     */
    private List<Due> due(UUID after, UUID last) {
        return database.read(handle -> handle.createQuery("""
                        select t.thread_id, coalesce(t.retention_days, :days::int) as days from threads t
                        left join erasure_threads w on w.erasure_id = :retention and w.thread_id = t.thread_id
                        left join lateral (
                            select e.created_at from entries e
                            where e.thread_id = t.thread_id and e.seq > coalesce(w.entries_to, 0)
                            order by e.seq limit 1) as oldest on true
                        left join lateral (
                            select case when v.type = 'thread_updated' and v.run is null then v.created_at end
                                as created_at
                            from events v
                            where v.thread_id = t.thread_id and v.position > w.events_to
                            order by v.position limit 1) as announced on true
                        where %s and t.deleted_at is null and t.thread_id > :after and t.thread_id <= :last
                            and (least(oldest.created_at, announced.created_at)
                                    < :now - coalesce(t.retention_days, :days::int) * interval '1 day'
                                or w.thread_id is not null and w.done_at is null)
                        order by t.thread_id""".formatted(withRetention()))
                .bind("days", days.messages())
                .bind("retention", ErasureTask.RETENTION)
                .bind("after", after)
                .bind("last", last)
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .map((row, context) -> new Due(
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        clock.instant().minus(Duration.ofDays(row.getInt("days")))))
                .list());
    }

    /**
     * Erases the expired messages of the threads, and records the number of erased entries. False if this node must
     * stop.
     */
    private boolean erase(List<Due> page) {
        List<ThreadId> threads = page.stream().map(Due::thread).toList();
        long before = store.erasedIn(ErasureTask.RETENTION, threads);
        boolean continues = page.stream().allMatch(this::erase);
        long erased = store.erasedIn(ErasureTask.RETENTION, threads) - before;
        if (erased > 0) {
            String subject = erased + " entries of " + threads.size() + " threads";
            LOG.info("Retention erased {}", subject);
            database.transact(handle -> {
                audit.record(handle, Actor.SYSTEM, "retention.erased", subject);
                return erased;
            });
        }
        return continues;
    }

    /** Erases the expired messages of one thread. False if this node must stop. */
    private boolean erase(Due due) {
        database.transact(handle -> {
            ErasureStore.add(handle, ErasureTask.RETENTION, due.thread(), true);
            return 0;
        });
        Optional<ErasureTask> next = store.in(ErasureTask.RETENTION, due.thread(), null, due.before());
        while (next.isPresent()) {
            ThreadEraser.Progress progress = threads.advance(next.get());
            if (!mayContinue()) {
                return false;
            }
            // A task that waits for runs continues in the next sweep.
            next = progress == ThreadEraser.Progress.WAITING ? Optional.empty() : store.again(next.get());
        }
        return true;
    }

    /** Finishes the current piece, and releases the lease so that another node continues at once. */
    @Override
    public void close() {
        closed = true;
        worker.shutdown();
        try {
            if (!worker.awaitTermination(LAST_PIECE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Stopping before the current piece of retention has ended");
            }
            store.release(holder);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not release the lease of retention; it expires: {}", unavailable.toString());
        }
    }
}
