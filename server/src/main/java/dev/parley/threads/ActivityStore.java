package dev.parley.threads;

import static java.util.Objects.requireNonNull;

import dev.parley.protocol.ThreadId;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The SQL of thread activity in lists. Every row follows from the log up to a head's last seq, so the row of the later
 * seq wins.
 */
final class ActivityStore {
    private static final int REPAIRED = 10_000;

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

    /** Brings the activity of some threads up to the log; returns the number of rows written. */
    static int refresh(Handle handle, Collection<ThreadId> threads) {
        // A write that a crash of PostgreSQL loses is repeated from the log. Other users of the rows have precedence.
        handle.execute("set local synchronous_commit = off; set local lock_timeout = '50ms'");
        List<Row> rows = read(handle, threads);
        return rows.isEmpty() ? 0 : write(handle, rows);
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

    private static int write(Handle handle, List<Row> rows) {
        return handle.createQuery("""
                        with new as (
                            select * from unnest(
                                :threads::uuid[], :seqs::bigint[], :messages::bigint[], :times::timestamptz[],
                                :previews::text[])
                                as new (thread_id, seq, message, at, preview)),
                        shown as (
                            update thread_activity a
                            set last_seq = new.seq, last_message_at = new.at,
                                last_message_preview = case when exists (
                                    -- erased since it was read
                                    select 1 from entries e where e.thread_id = new.thread_id
                                        and e.seq = new.message and e.erased_at is not null)
                                    then '' else new.preview end,
                                updated_at = clock_timestamp()
                            from new where a.thread_id = new.thread_id and a.last_seq < new.seq
                            returning 1),
                        listed as (
                            update listings l set active_at = new.at
                            from new where l.thread_id = new.thread_id and l.active_at < new.at
                            returning 1)
                        select (select count(*) from shown) + (select count(*) from listed)""")
                .bindArray("threads", UUID.class, rows.stream().map(Row::thread).toArray())
                .bindArray("seqs", Long.class, rows.stream().map(Row::seq).toArray())
                .bindArray(
                        "messages", Long.class, rows.stream().map(Row::message).toArray())
                .bindArray(
                        "times",
                        OffsetDateTime.class,
                        rows.stream()
                                .map(row -> row.last().at().atOffset(ZoneOffset.UTC))
                                .toArray())
                .bindArray(
                        "previews",
                        String.class,
                        rows.stream().map(row -> row.last().preview()).toArray())
                .mapTo(Integer.class)
                .one();
    }
}
