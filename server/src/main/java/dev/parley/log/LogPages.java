package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Reads pages of a thread, bounded in items and in bytes. The database counts the bytes, so that entries beyond the
 * page never reach this process.
 */
public final class LogPages {
    /** The bytes of an entry: its text, its metadata, and a constant for the object around them. */
    private static final String BYTES = "512 + octet_length(m.content) + coalesce(octet_length(m.metadata::text), 0)";

    private final Database database;

    public LogPages(Database database) {
        this.database = database;
    }

    /**
     * A page of entries, ascending.
     *
     * @param more true if there are further entries in the direction of the read
     * @param bytes the bytes of the entries; if they exceed the room, the page lacks entries and must be read again
     */
    public record Entries(List<Entry> entries, boolean more, long bytes) {}

    /** A page of events, like {@link Entries}. */
    public record Events(List<Event> events, boolean more, long bytes) {}

    /** The entries nearest to a seq, including revisions. */
    public Entries entries(ThreadId thread, Direction direction, long seq, PageSize size) {
        return entries(thread, direction, "", seq, Map.of(), size);
    }

    /**
     * The messages nearest to a seq. The query reads the index first, because the index alone can skip the revisions.
     */
    public Entries messages(ThreadId thread, Direction direction, long seq, PageSize size) {
        return entries(thread, direction, "and m.kind = 0", seq, Map.of(), size);
    }

    /** Messages after a seq that an author did not write. */
    public Entries messagesOfOthersAfter(ThreadId thread, Actor author, long seq, PageSize size) {
        return entries(
                thread,
                Direction.FORWARDS,
                "and m.kind = 0 and m.author <> :author",
                seq,
                Map.of("author", author.value()),
                size);
    }

    /** The first entries with the given seqs, in a direction. */
    public Entries entriesAt(ThreadId thread, Direction direction, List<Long> seqs, PageSize size) {
        long from = direction == Direction.FORWARDS ? Long.MIN_VALUE : Long.MAX_VALUE;
        return entries(
                thread, direction, "and m.seq = any (:seqs)", from, Map.of("seqs", seqs.toArray(Long[]::new)), size);
    }

    private Entries entries(
            ThreadId thread,
            Direction direction,
            String condition,
            long from,
            Map<String, Object> values,
            PageSize size) {
        String sql = """
                select counted.found, counted.bytes_to_here, %1$s from (
                    select near.seq, near.bytes, count(*) over () as found,
                        sum(near.bytes) over (order by near.seq %5$s) as bytes_to_here
                    from (
                        select m.seq, %2$s as bytes from (
                            select m.seq from entries m
                            where m.thread_id = :thread and m.seq %4$s :from %3$s
                            order by m.seq %5$s limit :items + 1) as indexed
                        join entries m on m.thread_id = :thread and m.seq = indexed.seq) as near) as counted
                left join entries e
                on e.thread_id = :thread and e.seq = counted.seq and counted.bytes_to_here <= :room
                where counted.bytes_to_here - counted.bytes < :bytes
                order by counted.seq %5$s limit :items""".formatted(EntryRow.columns("e"), BYTES, condition, direction.comparison, direction.order);
        PageRows<Entry> page = new PageRows<>();
        database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("from", from)
                .bind("items", size.items())
                .bind("bytes", size.bytes())
                .bind("room", size.room())
                .bindMap(values)
                .map((row, context) -> page.add(row, size, EntryRow::read))
                .list());
        if (direction == Direction.BACKWARDS) {
            Collections.reverse(page.items);
        }
        return new Entries(page.items, page.more(), page.bytes);
    }

    /** Events of the conversation after a position, without the runs' own events. */
    public Events eventsAfter(ThreadId thread, long position, PageSize size) {
        String sql = """
                select counted.found, counted.bytes_to_here, %1$s, %2$s from (
                    select near.position, near.bytes, count(*) over () as found,
                        sum(near.bytes) over (order by near.position) as bytes_to_here
                    from (
                        select ev.position, 512 + coalesce(octet_length(ev.payload), 0) + coalesce(%3$s, 0) as bytes
                        from events ev
                        left join entries m on ev.type is null and m.thread_id = ev.thread_id and m.seq = ev.seq
                        where ev.thread_id = :thread and ev.position > :position and ev.run is null
                        order by ev.position limit :items + 1) as near) as counted
                left join events ev
                on ev.thread_id = :thread and ev.position = counted.position and counted.bytes_to_here <= :room
                left join entries e on ev.type is null and e.thread_id = ev.thread_id and e.seq = ev.seq
                where counted.bytes_to_here - counted.bytes < :bytes
                order by counted.position limit :items""".formatted(EntryRow.EVENT_COLUMNS, EntryRow.columns("e"), BYTES);
        PageRows<Event> page = new PageRows<>();
        database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("position", position)
                .bind("items", size.items())
                .bind("bytes", size.bytes())
                .bind("room", size.room())
                .map((row, context) -> page.add(row, size, each -> EntryRow.event(each, thread, position)))
                .list());
        return new Events(page.items, page.more(), page.bytes);
    }

    /** True if the conversation has an event after a position; the runs' own events do not count. */
    public boolean hasEventAfter(ThreadId thread, long position) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from events
                            where thread_id = :thread and position > :position and run is null)""")
                .bind("thread", thread.value())
                .bind("position", position)
                .mapTo(Boolean.class)
                .one());
    }

    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** The rows of a page; rows that do not fit in the room are only counted. */
    private static final class PageRows<T> {
        private final List<T> items = new ArrayList<>();
        private int counted;
        private int found;
        private long bytes;

        long add(ResultSet row, PageSize size, RowReader<T> reader) throws SQLException {
            found = row.getInt("found");
            bytes = row.getLong("bytes_to_here");
            counted++;
            if (bytes <= size.room()) {
                items.add(reader.read(row));
            }
            return bytes;
        }

        boolean more() {
            return found > counted;
        }
    }
}
