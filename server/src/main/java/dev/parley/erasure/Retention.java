package dev.parley.erasure;

import dev.parley.contexts.Contexts;
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
 * Erases what is older than it may get: the messages of threads after the days that they or the server say, and what
 * models were shown after days of its own. One node at a time looks, now and then; where nothing is due that is two
 * queries.
 */
public final class Retention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    /** Shorter than the interval, so that whoever looked last may look again. */
    private static final Duration PAUSE = Duration.ofMinutes(9);

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int PIECE = 100;

    private final Database database;
    private final ErasureStore store;
    private final ThreadEraser threads;
    private final Contexts contexts;
    private final Days days;
    private final Clock clock;
    private final UUID holder = UUID.randomUUID();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-retention").daemon().factory());
    private volatile boolean closed;

    /**
     * After how many days things go.
     *
     * @param messages null for never
     */
    record Days(@Nullable Integer messages, int contexts) {}

    /**
     * For how long a thread's messages are kept.
     *
     * @param ownDays as it was set for this thread; null for what the server does
     * @param days what counts; null for ever
     */
    public record Kept(
            ThreadId thread,
            @Nullable Integer ownDays,
            @Nullable Integer days) {}

    Retention(Database database, ErasureStore store, ThreadEraser threads, Contexts contexts, Days days, Clock clock) {
        this.database = database;
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

    Kept of(Handle handle, ThreadId thread) {
        Integer own = handle.createQuery("select retention_days from threads where thread_id = :thread")
                .bind("thread", thread.value())
                .map((row, context) -> Optional.ofNullable(row.getObject(1, Integer.class)))
                .one()
                .orElse(null);
        return new Kept(thread, own, own == null ? days.messages() : own);
    }

    private void trySweep() {
        try {
            if (store.takeRetention(holder, LEASE)) {
                sweep();
                // Held on to for a while: no other node looks again so soon.
                store.take(Work.RETENTION, holder, PAUSE);
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("What is too old is erased later: {}", unavailable.toString());
        }
    }

    /** Erases everything that is due. */
    public void sweep() {
        while (!closed && contexts.forgetBefore(clock.instant().minus(Duration.ofDays(days.contexts()))) > 0) {
            store.take(Work.RETENTION, holder, LEASE);
        }
        UUID after = new UUID(0, 0);
        List<Due> due = due(after);
        while (!due.isEmpty() && !closed) {
            due.forEach(this::erase);
            after = due.getLast().thread().value();
            due = due(after);
        }
    }

    /** A thread with messages from before a time that are too old. */
    private record Due(ThreadId thread, Instant before) {}

    /** The first entry that was not looked at yet is the oldest one that can be due. */
    private List<Due> due(UUID after) {
        String some = days.messages() == null ? "t.retention_days is not null" : "true";
        return database.read(handle -> handle.createQuery("""
                        select t.thread_id, coalesce(t.retention_days, :days::int) as days from threads t
                        left join erasure_threads w on w.erasure_id = :retention and w.thread_id = t.thread_id
                        cross join lateral (
                            select e.created_at from entries e
                            where e.thread_id = t.thread_id and e.seq > coalesce(w.entries_to, 0)
                            order by e.seq limit 1) as oldest
                        where %s and t.deleted_at is null and t.thread_id > :after
                            and (oldest.created_at < :now - coalesce(t.retention_days, :days::int) * interval '1 day'
                                or w.thread_id is not null and w.done_at is null)
                        order by t.thread_id limit :limit""".formatted(some))
                .bind("days", days.messages())
                .bind("retention", Work.RETENTION)
                .bind("after", after)
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .bind("limit", PIECE)
                .map((row, context) -> new Due(
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        clock.instant().minus(Duration.ofDays(row.getInt("days")))))
                .list());
    }

    private void erase(Due due) {
        database.transact(handle -> {
            ErasureStore.add(handle, Work.RETENTION, due.thread(), true);
            return 0;
        });
        Optional<Work> next = store.in(Work.RETENTION, due.thread(), null, due.before());
        while (next.isPresent() && !closed) {
            if (threads.advance(next.get()) == ThreadEraser.Progress.WAITING) {
                // The next sweep goes on.
                return;
            }
            store.take(Work.RETENTION, holder, LEASE);
            next = store.again(next.get());
        }
    }

    @Override
    public void close() {
        closed = true;
        worker.shutdown();
    }
}
