package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Finds messages by time. An index by time is not needed: within a thread seqs are dense and {@code created_at} never
 * runs backwards, so a binary search over the primary key finds the first entry of a day. Only messages of users,
 * assistants and tools are found.
 */
public final class DayReader {
    private static final String LAST_BEFORE = SpokenSql.latest("m.seq, m.created_at", ":thread", "m.seq < :seq", "1");
    private static final String LAST_OF =
            SpokenSql.latest("m.seq", ":thread", "m.seq between :first and :last", ":limit");

    private final Database database;

    public DayReader(Database database) {
        this.database = database;
    }

    /** A message's seq and time. */
    public record Spoken(long seq, Instant at) {}

    /** The last message before a seq. */
    public Optional<Spoken> lastBefore(ThreadId thread, long seq) {
        return database.read(handle -> handle.createQuery(LAST_BEFORE)
                .bind("thread", thread.value())
                .bind("seq", seq)
                .map((row, context) -> new Spoken(
                        row.getLong("seq"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .findOne());
    }

    /**
     * The seq of the first entry at or after a time, anywhere in a thread; the last seq plus one if no entry is that
     * late.
     */
    public long firstAt(ThreadId thread, Instant time) {
        long last = database.read(handle -> handle.createQuery(
                                "select seq from entries where thread_id = :thread order by seq desc limit 1")
                        .bind("thread", thread.value())
                        .mapTo(Long.class)
                        .findOne())
                .orElse(0L);
        return firstAt(thread, time, last + 1, last + 1);
    }

    /**
     * The seq of the first entry at or after a time. The caller knows that this entry lies at or before a seq, and
     * probably near that seq. The search starts at the seq with leaps that double, so its cost depends on the length of
     * the day and not of the thread.
     */
    public long firstAt(ThreadId thread, Instant time, long atOrBefore) {
        return firstAt(thread, time, atOrBefore, 1);
    }

    /**
     * @param leap the distance of the first probe; a distance beyond the thread's beginning causes a plain binary
     *     search
     */
    private long firstAt(ThreadId thread, Instant time, long atOrBefore, long leap) {
        return database.read(handle -> handle.createQuery("""
                        with recursive leaps as (
                            select :from::bigint as high, greatest(:from::bigint - :leap::bigint, 0) as low,
                                :leap::bigint as width
                            union all
                            select l.low, greatest(l.low - 2 * l.width, 0), 2 * l.width
                            from leaps l cross join lateral (
                                select 1 from entries e
                                where e.thread_id = :thread and e.seq = l.low and e.created_at >= :time limit 1) as late),
                        search as (
                            (select low + 1 as low, high from leaps order by high limit 1)
                            union all
                            select case when probe.early then s.middle + 1 else s.low end,
                                case when probe.early then s.high else s.middle end
                            from (select low, high, (low + high) / 2 as middle from search where low < high) as s
                            cross join lateral (
                                select e.created_at < :time as early from entries e
                                where e.thread_id = :thread and e.seq = s.middle limit 1) as probe)
                        select low from search where low = high""")
                .bind("thread", thread.value())
                .bind("time", time.atOffset(ZoneOffset.UTC))
                .bind("from", atOrBefore)
                .bind("leap", leap)
                .mapTo(Long.class)
                .one());
    }

    /** The seqs of the last messages between two seqs, both included, ascending. */
    public List<Long> lastOf(ThreadId thread, long first, long last, int limit) {
        return database.read(handle -> handle.createQuery(LAST_OF)
                        .bind("thread", thread.value())
                        .bind("first", first)
                        .bind("last", last)
                        .bind("limit", limit)
                        .mapTo(Long.class)
                        .list())
                .reversed();
    }
}
