package dev.parley.erasure;

import dev.parley.contexts.Contexts;
import dev.parley.ingest.QuoteMarks;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes copies of erased messages. The {@code thread_context} of an entry quotes messages from other threads, and
 * messages that are not entries at all. Erasures mark rows of {@code thread_quotes}, and this class processes the
 * marked rows thread by thread. A row stays until everything derived from its quote is gone, so a crash loses no mark.
 */
final class QuoteEraser {
    private static final int BATCH = 500;

    private final Database database;
    private final Contexts contexts;
    private final RunEraser runs;
    private final Consumer<ErasureStep.Quotes> lane;

    /** @param lane the function that executes a step in its thread's lane and announces the step's seqs */
    QuoteEraser(Database database, Contexts contexts, RunEraser runs, Consumer<ErasureStep.Quotes> lane) {
        this.database = database;
        this.contexts = contexts;
        this.runs = runs;
        this.lane = lane;
    }

    /** Marks a batch of quotes from a sender; false if no unmarked quotes are left. */
    boolean mark(Actor sender, @Nullable Instant before) {
        return database.transact(handle -> {
            handle.execute(QuoteMarks.LOCK);
            int marked = handle.createUpdate("""
                        update thread_quotes set erased_at = now() where (thread_id, seq, number) in (
                            select thread_id, seq, number from thread_quotes
                            where sender = :sender and erased_at is null
                                and coalesce(said_at, '-infinity') < coalesce(:before::timestamptz, 'infinity')
                            limit :limit)""")
                    .bind("sender", sender.value())
                    .bind("before", ErasureStore.atUtc(before))
                    .bind("limit", BATCH)
                    .execute();
            return marked > 0;
        });
    }

    /**
     * Removes the marked quotes.
     *
     * @param markedUntil the latest mark of the quotes to remove; null for all marked quotes
     * @param mayContinue the test that is false if this node has to stop
     * @return false if quotes are left, because they wait for runs or this node had to stop
     */
    boolean drain(@Nullable Instant markedUntil, BooleanSupplier mayContinue) {
        boolean drained = true;
        Optional<ThreadId> next = nextAfter(new UUID(0, 0), markedUntil);
        while (next.isPresent()) {
            ThreadId thread = next.get();
            ThreadEraser.Progress progress = advance(thread);
            if (!mayContinue.getAsBoolean()) {
                return false;
            }
            drained &= progress != ThreadEraser.Progress.WAITING;
            if (progress != ThreadEraser.Progress.MOVED) {
                next = nextAfter(thread.value(), markedUntil);
            }
        }
        return drained;
    }

    private Optional<ThreadId> nextAfter(UUID after, @Nullable Instant markedUntil) {
        return database.read(handle -> handle.createQuery("""
                        select q.thread_id from thread_quotes q join threads t using (thread_id)
                        where q.erased_at is not null and q.thread_id > :after and t.deleted_at is null
                            and q.erased_at <= coalesce(:until::timestamptz, 'infinity')
                        order by q.thread_id limit 1""")
                .bind("after", after)
                .bind("until", ErasureStore.atUtc(markedUntil))
                .map((row, context) -> new ThreadId(row.getObject(1, UUID.class)))
                .findOne());
    }

    private ThreadEraser.Progress advance(ThreadId thread) {
        List<Long> seqs = database.read(handle -> handle.createQuery("""
                        select distinct seq from thread_quotes
                        where thread_id = :thread and erased_at is not null and removed_at is null
                        order by seq limit :limit""")
                .bind("thread", thread.value())
                .bind("limit", BATCH)
                .mapTo(Long.class)
                .list());
        if (!seqs.isEmpty()) {
            lane.accept(new ErasureStep.Quotes(thread, seqs));
            return ThreadEraser.Progress.MOVED;
        }
        Optional<Instant> removedAt = database.read(handle -> handle.createQuery("""
                        select removed_at from thread_quotes
                        where thread_id = :thread and removed_at is not null order by removed_at desc limit 1""")
                .bind("thread", thread.value())
                .mapTo(OffsetDateTime.class)
                .findOne()
                .map(OffsetDateTime::toInstant));
        return removedAt.map(at -> forgetCopies(thread, at)).orElse(ThreadEraser.Progress.DONE);
    }

    /**
     * Removes the copies of quotes in the thread's runs and contexts, once no run that has read the quotes is active.
     */
    private ThreadEraser.Progress forgetCopies(ThreadId thread, Instant removedAt) {
        ErasureTask work = new ErasureTask(ErasureTask.RETENTION, thread, false, null, null, 0, 0, 0, removedAt);
        if (runs.isReadByOthers(work)) {
            return ThreadEraser.Progress.WAITING;
        }
        if (runs.eraseCopies(work)) {
            return ThreadEraser.Progress.MOVED;
        }
        contexts.forget(thread);
        database.transact(handle -> handle.createUpdate("""
                        delete from thread_quotes where thread_id = :thread and removed_at <= :removed""")
                .bind("thread", thread.value())
                .bind("removed", ErasureStore.atUtc(removedAt))
                .execute());
        return ThreadEraser.Progress.MOVED;
    }
}
