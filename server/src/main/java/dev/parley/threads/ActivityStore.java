package dev.parley.threads;

import static java.util.Objects.requireNonNull;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlBatch;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The SQL of thread activity in lists. Every row is made from the log up to a seq, so the row with the later seq wins.
 */
final class ActivityStore {
    private static final int REPAIRED = 10_000;

    /**
     * Writes do not wait for the disk, because a write that a crash of PostgreSQL loses is repeated from the log.
     * Writes wait only briefly for locks, because other users of the rows have precedence.
     */
    private static final String YIELD =
            "select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '50ms', true)";

    private static final String WRITE = """
            with new as (
                select thread_id, seq, message, timestamptz 'epoch' + micros * interval '1 microsecond' as at, preview
                from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[])
                    as new (thread_id, seq, message, micros, preview)),
            shown as (
                update thread_activity a
                set last_seq = new.seq, last_message_at = new.at,
                    last_message_preview = case when exists (
                        -- erased since it was read
                        select 1 from entries e where e.thread_id = new.thread_id
                            and e.seq = new.message and e.erased_at is not null)
                        then '' else new.preview end,
                    updated_at = clock_timestamp()
                from new where a.thread_id = new.thread_id and a.last_seq < new.seq)
            update listings l set active_at = new.at
            from new where l.thread_id = new.thread_id and l.active_at < new.at""";

    private ActivityStore() {}

    /** The activity of a thread as lists show it, as of a seq. */
    private record Row(UUID thread, long seq, long message, ThreadSnapshot.LastMessage last) {}

    /** Threads whose activity lags behind the log. */
    static List<ThreadId> outdated(Handle handle) {
        return handle.createQuery("""
                        select h.thread_id from thread_heads h join thread_activity a using (thread_id)
                        where h.last_seq > a.last_seq limit %d""".formatted(REPAIRED))
                .mapTo(UUID.class)
                .map(ThreadId::new)
                .list();
    }

    /** Updates the activity of some threads from the log. */
    static void refresh(Handle handle, Collection<ThreadId> threads) throws SQLException {
        List<Row> rows = read(handle, threads);
        if (!rows.isEmpty()) {
            write(handle, rows);
        }
    }

    private static List<Row> read(Handle handle, Collection<ThreadId> threads) {
        return handle.createQuery("""
                        select h.thread_id, h.last_seq, last.*
                        from unnest(:threads::uuid[]) as wanted (thread_id)
                        join thread_heads h using (thread_id)
                        %s
                        where last.message_seq is not null
                        order by h.thread_id""".formatted(LastMessageQuery.join("h", "true")))
                .bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray())
                .map((row, context) -> new Row(
                        row.getObject("thread_id", UUID.class),
                        row.getLong("last_seq"),
                        row.getLong("message_seq"),
                        requireNonNull(LastMessageQuery.read(row))))
                .list();
    }

    private static void write(Handle handle, List<Row> rows) throws SQLException {
        new SqlBatch(handle.getConnection())
                .add(YIELD, SqlBatch.Parameters.NONE)
                .add(
                        WRITE,
                        arrays -> arrays.uuids(rows, Row::thread)
                                .longs(rows, Row::seq)
                                .longs(rows, Row::message)
                                .longs(
                                        rows,
                                        row -> ChronoUnit.MICROS.between(
                                                Instant.EPOCH, row.last().at()))
                                .texts(rows, row -> row.last().preview()))
                .send();
    }
}
