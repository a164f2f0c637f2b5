package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Shrinks the stored events of a finished run, once the outcome of every commit for the run is certain. It first merges
 * the run's deltas, and much later deletes the run's events. Each call handles a piece of bounded size in one
 * transaction and returns the last position handled.
 *
 * <p>The compaction locks no head, because appends only add rows after the head. A reader fetches a page with one
 * statement, so the page shows the rows either before or after the change, with the same content. The compaction locks
 * rows in the order of their positions. It skips rows that another compaction has merged; in these rows, {@code covers}
 * is not null. A merged row replaces the last row that went into it, and keeps that row's seq, time and command.
 */
public final class Compaction {
    private static final int MAX_ROWS = 2_000;
    private static final long MAX_BYTES = 4L * 1024 * 1024;
    private static final long ROW_BYTES = 64 * 1024;

    private final Database database;
    private final int maxRows;
    private final long rowBytes;

    public Compaction(Database database) {
        this(database, MAX_ROWS, ROW_BYTES);
    }

    Compaction(Database database, int maxRows, long rowBytes) {
        this.database = database;
        this.maxRows = maxRows;
        this.rowBytes = rowBytes;
    }

    /**
     * Merges the rows of a run in a range of positions, except rows that are merged already. Repeating the call changes
     * nothing.
     *
     * @return the last position handled; continue after it while it is below {@code toPosition}
     */
    public long compact(ThreadId thread, UUID run, long fromPosition, long toPosition) {
        return database.transact(handle -> {
            long end = endOfPiece(handle, thread, run, fromPosition, toPosition);
            List<MergedRow> merged = MergedRow.merge(rows(handle, thread, run, fromPosition, end), rowBytes);
            if (!merged.isEmpty()) {
                write(handle, thread, merged);
            }
            return end;
        });
    }

    /**
     * Deletes the rows of a run in a range of positions, and records the deletion for readers whose cursor lies before
     * the rows.
     *
     * @return the last position handled; continue after it while it is below {@code toPosition}
     */
    public long expire(ThreadId thread, UUID run, long fromPosition, long toPosition) {
        return database.transact(handle -> {
            long end = endOfPiece(handle, thread, run, fromPosition, toPosition);
            handle.createUpdate("""
                            with expired as (
                                delete from events
                                where thread_id = :thread and position between :from and :to and run = :run
                                returning position)
                            insert into expired_events (thread_id, position)
                            select :thread, max(position) from expired having count(*) > 0
                            on conflict (thread_id) do update
                                set position = greatest(expired_events.position, excluded.position)""")
                    .bind("thread", thread.value())
                    .bind("run", run)
                    .bind("from", fromPosition)
                    .bind("to", end)
                    .execute();
            return end;
        });
    }

    /**
     * The last position of a piece that is bounded in rows and in bytes. All rows of the thread count towards the limit
     * of rows, because the scan passes over them. Only the text of the run's unmerged rows counts towards the limit of
     * bytes.
     */
    private long endOfPiece(Handle handle, ThreadId thread, UUID run, long from, long to) {
        return handle.createQuery("""
                        select max(position) from (
                            select position, coalesce(sum(bytes) over (
                                order by position rows between unbounded preceding and 1 preceding), 0) as bytes_before
                            from (
                                select position,
                                    case when run = :run and covers is null then octet_length(payload) end as bytes
                                from events
                                where thread_id = :thread and position between :from and :to
                                order by position limit :rows) as piece) as counted
                        where bytes_before < :bytes""")
                .bind("thread", thread.value())
                .bind("run", run)
                .bind("from", from)
                .bind("to", to)
                .bind("rows", maxRows)
                .bind("bytes", MAX_BYTES)
                .mapTo(Long.class)
                .findOne()
                .orElse(to);
    }

    private static List<Event.Emitted> rows(Handle handle, ThreadId thread, UUID run, long from, long to) {
        return handle.createQuery("""
                        select %s from events ev
                        where ev.thread_id = :thread and ev.position between :from and :to
                            and ev.run = :run and ev.covers is null
                        order by ev.position for update""".formatted(EntryRow.EVENT_COLUMNS))
                .bind("thread", thread.value())
                .bind("run", run)
                .bind("from", from)
                .bind("to", to)
                .map((row, context) -> (Event.Emitted) EntryRow.readWithoutEntry(row, thread))
                .list();
    }

    private static void write(Handle handle, ThreadId thread, List<MergedRow> merged) {
        handle.createUpdate("delete from events where thread_id = :thread and position = any (:replaced)")
                .bind("thread", thread.value())
                .bindArray(
                        "replaced",
                        Long.class,
                        merged.stream().flatMap(row -> row.replaced().stream()).toList())
                .execute();
        handle.createUpdate("""
                        update events set payload = merged.payload, covers = merged.covers
                        from unnest(:positions::bigint[], :payloads::text[], :covers::text[])
                            as merged (position, payload, covers)
                        where events.thread_id = :thread and events.position = merged.position""")
                .bind("thread", thread.value())
                .bindArray(
                        "positions",
                        Long.class,
                        merged.stream().map(MergedRow::position).toList())
                .bindArray(
                        "payloads",
                        String.class,
                        merged.stream()
                                .map(row -> EmittedRow.payload(row.lines()))
                                .toList())
                .bindArray(
                        "covers",
                        String.class,
                        merged.stream()
                                .map(row -> EmittedRow.covers(row.lines()))
                                .toList())
                .execute();
    }
}
