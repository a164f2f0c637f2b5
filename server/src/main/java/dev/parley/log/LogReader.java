package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Reads the log: entries by seq, events by position. The reader does not check who may read. */
public final class LogReader {
    private final Database database;

    public LogReader(Database database) {
        this.database = database;
    }

    /** Up to {@code limit} entries after a seq, ascending. */
    List<Entry> entriesAfter(ThreadId thread, long seq, int limit) {
        String sql = """
                select %s from entries e
                where e.thread_id = :thread and e.seq > :seq order by e.seq limit :limit""".formatted(EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("limit", limit)
                .map((row, context) -> EntryRow.read(row))
                .list());
    }

    /** The entries at some seqs, ascending. */
    public List<Entry> entriesAt(ThreadId thread, List<Long> seqs) {
        String sql = """
                select %s from entries e where e.thread_id = :thread and e.seq = any (:seqs) order by e.seq""".formatted(EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bindArray("seqs", Long.class, seqs)
                .map((row, context) -> EntryRow.read(row))
                .list());
    }

    /** The seq of the last user message with this id or client message id, among a thread's last messages. */
    public Optional<Long> lastQuestion(ThreadId thread, String id, int searched) {
        return database.read(handle -> handle.createQuery("""
                        select seq from (
                            select e.seq, e.id, e.client_message_id, e.role from entries e
                            where e.thread_id = :thread and e.kind = 0 order by e.seq desc limit :searched) as last
                        where role = 'user' and (id = :id or client_message_id = :id)
                        order by seq desc limit 1""")
                .bind("thread", thread.value())
                .bind("searched", searched)
                .bind("id", id)
                .mapTo(Long.class)
                .findOne());
    }

    /** The entry that holds a key. */
    public Optional<Entry> findByKey(ThreadId thread, EntryKey key) {
        String sql = """
                select %s from entry_keys k join entries e on e.thread_id = k.thread_id and e.seq = k.seq
                where k.thread_id = :thread and k.key = :key""".formatted(EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("key", key.value())
                .map((row, context) -> EntryRow.read(row))
                .findOne());
    }

    /** The seqs of messages by id; ids without a message are left out. */
    public Map<String, Long> seqsOf(ThreadId thread, Collection<String> ids) {
        Map<UUID, String> byKey = new HashMap<>();
        ids.forEach(id -> byKey.put(EntryKey.id(id).value(), id));
        if (byKey.isEmpty()) {
            return Map.of();
        }
        // Each key has its own index probe, because PostgreSQL might answer a join with a scan of a table that was
        // never analysed.
        return database.read(handle -> handle.createQuery("""
                        select wanted.key, held.seq from unnest(:keys) as wanted (key)
                        cross join lateral (
                            select k.seq from entry_keys k
                            where k.thread_id = :thread and k.key = wanted.key limit 1) as held""")
                .bind("thread", thread.value())
                .bindArray("keys", UUID.class, byKey.keySet().toArray())
                .map((row, context) -> Map.entry(
                        Objects.requireNonNull(byKey.get(row.getObject("key", UUID.class))), row.getLong("seq")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Up to {@code limit} events of all kinds after a position, in order. The list ends with the event that reaches
     * {@code bytes}, as the database counts bytes.
     */
    public List<Event> eventsAfter(ThreadId thread, long position, int limit, long bytes) {
        String sql = """
                select * from (
                    select page.*, coalesce(sum(page.bytes) over (
                        order by page.position rows between unbounded preceding and 1 preceding), 0) as bytes_before
                    from (
                        select %s, %s,
                            coalesce(octet_length(ev.payload), 0) + coalesce(octet_length(e.content), 0)
                                + coalesce(octet_length(e.metadata::text), 0) as bytes
                        from events ev
                        left join entries e on ev.type is null and e.thread_id = ev.thread_id and e.seq = ev.seq
                        where ev.thread_id = :thread and ev.position > :position
                        order by ev.position limit :limit) as page) as counted
                where bytes_before < :bytes
                order by position""".formatted(EntryRow.EVENT_COLUMNS, EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("position", position)
                .bind("limit", limit)
                .bind("bytes", bytes)
                .map((row, context) -> EntryRow.event(row, thread, position))
                .list());
    }

    /** Up to {@code limit} stored stretches of one run's events after a position, in order. */
    public List<Event.Emitted> emittedAfter(ThreadId thread, UUID run, long position, int limit) {
        String sql = """
                select %s from events ev
                where ev.thread_id = :thread and ev.position > :position and ev.run = :run
                order by ev.position limit :limit""".formatted(EntryRow.EVENT_COLUMNS);
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("position", position)
                .bind("run", run)
                .bind("limit", limit)
                .map((row, context) -> (Event.Emitted) EntryRow.readWithoutEntry(row, thread))
                .list());
    }

    /** True if any event that a run emitted between two positions is still stored. */
    public boolean hasEmitted(ThreadId thread, UUID run, long from, long to) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from events
                            where thread_id = :thread and position between :from and :to and run = :run)""")
                .bind("thread", thread.value())
                .bind("run", run)
                .bind("from", from)
                .bind("to", to)
                .mapTo(Boolean.class)
                .one());
    }

    /** The position of an entry. */
    public OptionalLong positionOf(ThreadId thread, long seq) {
        Optional<Long> position = database.read(
                handle -> handle.createQuery("select position from entries where thread_id = :thread and seq = :seq")
                        .bind("thread", thread.value())
                        .bind("seq", seq)
                        .mapTo(Long.class)
                        .findOne());
        return position.isPresent() ? OptionalLong.of(position.get()) : OptionalLong.empty();
    }

    /** The seq of the last entry at or before a position; 0 if there is none. */
    public long seqAt(ThreadId thread, long position) {
        return database.read(handle -> handle.createQuery("""
                        select seq from events where thread_id = :thread and position <= :position
                        order by position desc limit 1""")
                        .bind("thread", thread.value())
                        .bind("position", position)
                        .mapTo(Long.class)
                        .findOne())
                .orElse(0L);
    }

    /**
     * The stored part of a thread's events.
     *
     * @param last the last position; 0 for a thread without events
     * @param expired the position up to which events of runs have expired; 0 if none have
     */
    public record Bounds(long last, long expired) {}

    public Bounds bounds(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
                        select coalesce((select last_position from thread_heads where thread_id = :thread), 0) as last,
                            coalesce((select position from expired_events where thread_id = :thread), 0) as expired""")
                .bind("thread", thread.value())
                .map((row, context) -> new Bounds(row.getLong("last"), row.getLong("expired")))
                .one());
    }

    /**
     * The end of a thread's log.
     *
     * @param facts the number of {@link LogReader#facts}; it changes whenever the set of readers changes
     */
    public record HeadState(ThreadId thread, long position, long facts) {}

    /** The present state of each given thread whose head has moved. */
    public List<HeadState> moved(List<HeadState> known) {
        String sql = """
                select h.thread_id, h.last_position, h.facts
                from unnest(?::uuid[], ?::bigint[], ?::bigint[]) as known (thread_id, position, facts)
                join thread_heads h on h.thread_id = known.thread_id
                where h.last_position <> known.position or h.facts <> known.facts""";
        return database.read(handle -> {
            List<HeadState> moved = new ArrayList<>();
            try (PreparedStatement statement = handle.getConnection().prepareStatement(sql)) {
                new SqlArrays(handle.getConnection(), statement)
                        .uuids(known, each -> each.thread().value())
                        .longs(known, HeadState::position)
                        .longs(known, HeadState::facts);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        moved.add(new HeadState(
                                new ThreadId(row.getObject(1, UUID.class)), row.getLong(2), row.getLong(3)));
                    }
                }
            } catch (SQLException failed) {
                throw new IllegalStateException("Heads could not be compared", failed);
            }
            return moved;
        });
    }

    /** The last position of a thread; 0 if there is none. */
    public long lastPosition(ThreadId thread) {
        return lastPositions(List.of(thread)).getOrDefault(thread, 0L);
    }

    /** The seq of the thread's last entry; 0 if it has none. */
    public long lastSeq(ThreadId thread) {
        return database.read(handle -> handle.createQuery("select last_seq from thread_heads where thread_id = :thread")
                .bind("thread", thread.value())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
    }

    /** A number that changes with every erasure, and with every change to the facts that rules read of the thread. */
    public long facts(ThreadId thread) {
        return database.read(handle -> handle.createQuery("select facts from thread_heads where thread_id = :thread")
                .bind("thread", thread.value())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
    }

    /** The last positions of the given threads; threads that do not exist are left out. */
    Map<ThreadId, Long> lastPositions(Collection<ThreadId> threads) {
        Object[] ids = threads.stream().map(ThreadId::value).toArray();
        return database.read(handle -> handle.createQuery(
                        "select thread_id, last_position from thread_heads where thread_id = any (:threads)")
                .bindArray("threads", UUID.class, ids)
                .map((row, context) ->
                        Map.entry(new ThreadId(row.getObject("thread_id", UUID.class)), row.getLong("last_position")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
