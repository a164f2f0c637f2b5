package dev.parley.threads;

import dev.parley.protocol.ThreadId;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The SQL of what lists show. All of it follows from the log up to a head's last seq, so who read further wins. */
final class ActivityStore {
    private static final int PREVIEW = 140;
    private static final int TITLE = 80;
    private static final int REPAIRED = 10_000;

    private ActivityStore() {}

    /** What a list shows of a thread, as of a seq. Null: nothing was said yet, or it has a title. */
    private record Row(
            UUID thread,
            long seq,
            @Nullable OffsetDateTime at,
            @Nullable String preview,
            @Nullable String title) {}

    /** Threads whose lists are behind the log. */
    static List<ThreadId> behind(Handle handle) {
        return handle.createQuery("""
                        select h.thread_id from thread_heads h join thread_activity a using (thread_id)
                        where h.last_seq > a.last_seq limit %d""".formatted(REPAIRED))
                .mapTo(UUID.class)
                .map(ThreadId::new)
                .list();
    }

    /** Brings the lists of some threads up to the log; returns how many rows that took. */
    static int refresh(Handle handle, Collection<ThreadId> threads) {
        // What is lost with a crashed PostgreSQL is found behind its log again. Whoever wants the rows has precedence.
        handle.execute("set local synchronous_commit = off; set local lock_timeout = '50ms'");
        List<Row> rows = read(handle, threads);
        return rows.isEmpty() ? 0 : write(handle, rows);
    }

    private static List<Row> read(Handle handle, Collection<ThreadId> threads) {
        return handle.createQuery("""
                        select h.thread_id, h.last_seq, last.created_at, coalesce(last_now.content, last.content) as last,
                            coalesce(first_now.content, first.content) as first
                        from unnest(:threads::uuid[]) as wanted (thread_id)
                        join thread_heads h using (thread_id)
                        join threads t using (thread_id)
                        left join lateral (
                            select e.seq, e.created_at, left(e.content, 1000) as content from entries e
                            where e.thread_id = h.thread_id and e.kind = 0
                            order by e.seq desc limit 1) as last on true
                        left join lateral (%1$s where r.thread_id = h.thread_id and r.target_seq = last.seq %2$s)
                            as last_now on true
                        left join lateral (
                            select e.seq, left(e.content, 1000) as content from entries e
                            where t.title is null and e.thread_id = h.thread_id and e.kind = 0
                            order by e.seq limit 1) as first on true
                        left join lateral (%1$s where r.thread_id = h.thread_id and r.target_seq = first.seq %2$s)
                            as first_now on true
                        order by h.thread_id""".formatted(
                                // A deletion is the last word, whatever edit came behind it.
                                "select left(r.content, 1000) as content from entries r",
                                "and r.kind in (1, 2) order by r.kind desc, r.seq desc limit 1"))
                .bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray())
                .map((row, context) -> new Row(
                        row.getObject("thread_id", UUID.class),
                        row.getLong("last_seq"),
                        row.getObject("created_at", OffsetDateTime.class),
                        start(row.getString("last"), PREVIEW),
                        start(row.getString("first"), TITLE)))
                .list();
    }

    private static int write(Handle handle, List<Row> rows) {
        return handle.createQuery("""
                        with new as (
                            select * from unnest(
                                :threads::uuid[], :seqs::bigint[], :times::timestamptz[], :previews::text[], :titles::text[])
                                as new (thread_id, seq, at, preview, title)),
                        shown as (
                            update thread_activity a
                            set last_seq = new.seq, last_message_at = new.at, last_message_preview = new.preview,
                                updated_at = clock_timestamp()
                            from new where a.thread_id = new.thread_id and a.last_seq < new.seq
                            returning 1),
                        titled as (
                            update threads t set title = new.title
                            from new
                            where t.thread_id = new.thread_id and new.title <> '' and t.title is null
                                and t.deleted_at is null
                            returning 1),
                        listed as (
                            update listings l set active_at = new.at
                            from new where l.thread_id = new.thread_id and l.active_at < new.at
                            returning 1)
                        select (select count(*) from shown) + (select count(*) from titled)
                            + (select count(*) from listed)""")
                .bindArray("threads", UUID.class, rows.stream().map(Row::thread).toArray())
                .bindArray("seqs", Long.class, rows.stream().map(Row::seq).toArray())
                .bindArray(
                        "times",
                        OffsetDateTime.class,
                        rows.stream().map(Row::at).toArray())
                .bindArray(
                        "previews",
                        String.class,
                        rows.stream().map(Row::preview).toArray())
                .bindArray("titles", String.class, rows.stream().map(Row::title).toArray())
                .mapTo(Integer.class)
                .one();
    }

    /** What lists show of a message. */
    static String preview(String content) {
        return Objects.requireNonNull(start(content, PREVIEW));
    }

    /** The first line's start, in whole code points. */
    private static @Nullable String start(@Nullable String content, int characters) {
        if (content == null) {
            return null;
        }
        String line = content.strip().lines().findFirst().orElse("");
        return line.codePointCount(0, line.length()) <= characters
                ? line
                : line.substring(0, line.offsetByCodePoints(0, characters - 1)) + "…";
    }
}
