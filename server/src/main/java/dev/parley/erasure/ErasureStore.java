package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The SQL of erasures: requests, leases and progress. */
final class ErasureStore {
    private static final String SELECT = """
            select e.*, done.* from erasures e cross join lateral (
                select count(*) as threads, count(w.done_at) as threads_done, coalesce(sum(w.entries), 0) as entries
                from erasure_threads w where w.erasure_id = e.erasure_id) as done
            """;

    private final Database database;

    ErasureStore(Database database) {
        this.database = database;
    }

    static void insert(Handle handle, Erasure erasure) {
        handle.createUpdate("""
                        insert into erasures (erasure_id, subject_thread, subject_actor, said_before, reason,
                            requested_by, requested_at)
                        values (:id, :thread::uuid, :actor, :before::timestamptz, :reason, :by, :at)""")
                .bind("id", erasure.id())
                .bind(
                        "thread",
                        erasure.thread() == null ? null : erasure.thread().value())
                .bind("actor", erasure.actor() == null ? null : erasure.actor().value())
                .bind("before", atUtc(erasure.before()))
                .bind("reason", erasure.reason())
                .bind("by", erasure.requestedBy().value())
                .bind("at", atUtc(erasure.requestedAt()))
                .execute();
    }

    static Optional<Erasure> find(Handle handle, UUID id) {
        return handle.createQuery(SELECT + "where e.erasure_id = :id and e.erasure_id <> :retention")
                .bind("id", id)
                .bind("retention", ErasureTask.RETENTION)
                .map((row, context) -> read(row))
                .findOne();
    }

    /** Erasures before an id, the newest first. */
    List<Erasure> listBefore(@Nullable UUID before, int limit) {
        return database.read(handle -> handle.createQuery(SELECT + """
                        where e.erasure_id <> :retention and (:before::uuid is null or e.erasure_id < :before::uuid)
                        order by e.erasure_id desc limit :limit""")
                .bind("retention", ErasureTask.RETENTION)
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
    }

    /** Leases the oldest erasure that is unfinished, due, and not leased by another node. */
    Optional<Erasure> lease(UUID holder, Duration lease) {
        return database.transact(handle -> handle.createQuery("""
                        update erasures set holder = :holder, held_until = now() + :lease * interval '1 millisecond'
                        where erasure_id = (
                            select erasure_id from erasures
                            where finished_at is null and coalesce(next_at, '-infinity') <= now()
                                and (held_until is null or held_until < now() or holder = :holder)
                            order by requested_at limit 1 for update skip locked)
                        returning erasure_id""")
                .bind("holder", holder)
                .bind("lease", lease.toMillis())
                .mapTo(UUID.class)
                .findOne()
                .flatMap(id -> find(handle, id)));
    }

    /** Leases the retention erasure, unless another node has the lease; creates its row on first use. */
    boolean takeRetention(UUID holder, Duration lease) {
        database.transact(handle -> handle.createUpdate("""
                        insert into erasures (erasure_id, requested_by, requested_at, finished_at)
                        values (:id, :by, now(), now()) on conflict do nothing""")
                .bind("id", ErasureTask.RETENTION)
                .bind("by", Actor.SYSTEM.value())
                .execute());
        return lease(ErasureTask.RETENTION, holder, lease);
    }

    /** Leases an erasure, unless another node has the lease. */
    boolean lease(UUID erasure, UUID holder, Duration lease) {
        return database.transact(handle -> handle.createUpdate("""
                        update erasures set holder = :holder, held_until = now() + :lease * interval '1 millisecond'
                        where erasure_id = :id and (held_until is null or held_until < now() or holder = :holder)""")
                        .bind("id", erasure)
                        .bind("holder", holder)
                        .bind("lease", lease.toMillis())
                        .execute()
                == 1);
    }

    /** Releases the lease, so that other nodes continue at once. */
    void release(UUID holder) {
        database.transact(handle -> handle.createUpdate("update erasures set held_until = null where holder = :holder")
                .bind("holder", holder)
                .execute());
    }

    /** Postpones an erasure by one second, then by two, and so on up to sixteen. Other erasures run meanwhile. */
    void postpone(UUID erasure, UUID holder) {
        database.transact(handle -> handle.createUpdate("""
                        update erasures set held_until = null, put_off = put_off + 1,
                            next_at = now() + interval '1 second' * (1 << least(put_off, 4))
                        where erasure_id = :id and holder = :holder""")
                .bind("id", erasure)
                .bind("holder", holder)
                .execute());
    }

    /**
     * The time up to which an erasure has marked quotes. The erasure waits for the removal of these quotes, and not of
     * quotes that other erasures mark later.
     *
     * @param again true if the erasure has marked quotes just now
     */
    Instant quotesMarkedAt(UUID erasure, boolean again) {
        return database.transact(handle -> handle.createQuery("""
                        update erasures
                        set quotes_marked_at = case when :again then now() else coalesce(quotes_marked_at, now()) end
                        where erasure_id = :id returning quotes_marked_at""")
                .bind("id", erasure)
                .bind("again", again)
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
    }

    /**
     * Finishes an erasure. False if the erasure was finished before, if another node has taken it over, or if an
     * earlier erasure of the same subject is unfinished. The earlier erasure may wait for runs that this one no longer
     * finds.
     */
    static boolean finish(Handle handle, UUID erasure, UUID holder) {
        return handle.createUpdate("""
                                update erasures e set finished_at = now()
                                where erasure_id = :id and finished_at is null and holder = :holder
                                    and not exists (
                                        select 1 from erasures earlier
                                        where earlier.finished_at is null and earlier.erasure_id < e.erasure_id
                                            and (earlier.subject_actor = e.subject_actor
                                                or earlier.subject_thread = e.subject_thread))""")
                        .bind("id", erasure)
                        .bind("holder", holder)
                        .execute()
                == 1;
    }

    /** The number of entries that an erasure has erased in these threads so far. */
    long erasedIn(UUID erasure, List<ThreadId> threads) {
        return database.read(handle -> handle.createQuery("""
                        select coalesce(sum(entries), 0) from erasure_threads
                        where erasure_id = :erasure and thread_id = any (:threads)""")
                .bind("erasure", erasure)
                .bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray())
                .mapTo(Long.class)
                .one());
    }

    /** Adds a thread to an erasure, or reopens the thread. */
    static void add(Handle handle, UUID erasure, ThreadId thread, boolean whole) {
        handle.createUpdate("""
                        insert into erasure_threads (erasure_id, thread_id, whole)
                        select :erasure, thread_id, :whole from threads
                        where thread_id = :thread and deleted_at is null
                        on conflict (erasure_id, thread_id) do update set done_at = null""")
                .bind("erasure", erasure)
                .bind("thread", thread.value())
                .bind("whole", whole)
                .execute();
    }

    /**
     * The task of the next unfinished thread after an id. Deleted threads are left out, because they are purged
     * elsewhere.
     */
    Optional<ErasureTask> next(UUID erasure, @Nullable Actor actor, @Nullable Instant before, UUID after) {
        return database.read(handle -> handle.createQuery("""
                        select w.* from erasure_threads w join threads t using (thread_id)
                        where w.erasure_id = :erasure and w.done_at is null and t.deleted_at is null
                            and w.thread_id > :after
                        order by w.thread_id limit 1""")
                .bind("erasure", erasure)
                .bind("after", after)
                .map((row, context) -> work(row, actor, before))
                .findOne());
    }

    /** The current state of a task; empty once it is done. */
    Optional<ErasureTask> again(ErasureTask work) {
        return in(work.erasure(), work.thread(), work.actor(), work.before());
    }

    /** The task of a thread; empty if it is done. */
    Optional<ErasureTask> in(UUID erasure, ThreadId thread, @Nullable Actor actor, @Nullable Instant before) {
        return database.read(handle -> handle.createQuery("""
                        select w.* from erasure_threads w join threads t using (thread_id)
                        where w.erasure_id = :erasure and w.thread_id = :thread and w.done_at is null
                            and t.deleted_at is null""")
                .bind("erasure", erasure)
                .bind("thread", thread.value())
                .map((row, context) -> work(row, actor, before))
                .findOne());
    }

    /**
     * Records that other people have joined a thread in which the erased person was alone. From now on only the erased
     * person's messages are erased.
     */
    void markShared(ErasureTask work) {
        database.transact(handle -> handle.createUpdate("""
                        update erasure_threads set whole = false
                        where erasure_id = :erasure and thread_id = :thread""")
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .execute());
    }

    /** Records the progress of one part of a task: entries, runs or announcements. */
    void recordProgress(ErasureTask work, String column, long to) {
        database.transact(handle -> handle.createUpdate("""
                        update erasure_threads set %s = :to
                        where erasure_id = :erasure and thread_id = :thread""".formatted(column))
                .bind("to", to)
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .execute());
    }

    private static ErasureTask work(ResultSet row, @Nullable Actor actor, @Nullable Instant before)
            throws SQLException {
        return new ErasureTask(
                row.getObject("erasure_id", UUID.class),
                new ThreadId(row.getObject("thread_id", UUID.class)),
                row.getBoolean("whole"),
                actor,
                before,
                row.getLong("entries_to"),
                row.getLong("runs_to"),
                row.getLong("events_to"),
                instant(row, "erased_at"));
    }

    private static Erasure read(ResultSet row) throws SQLException {
        UUID thread = row.getObject("subject_thread", UUID.class);
        String actor = row.getString("subject_actor");
        return new Erasure(
                row.getObject("erasure_id", UUID.class),
                thread == null ? null : new ThreadId(thread),
                actor == null ? null : new Actor(actor),
                instant(row, "said_before"),
                row.getString("reason"),
                new Actor(row.getString("requested_by")),
                row.getObject("requested_at", OffsetDateTime.class).toInstant(),
                row.getLong("threads"),
                row.getLong("threads_done"),
                row.getLong("entries"),
                instant(row, "finished_at"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static @Nullable OffsetDateTime atUtc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
}
