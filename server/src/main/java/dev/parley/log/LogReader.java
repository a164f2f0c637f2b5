package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads the log: entries by seq, events by position. Decides nothing about who may read. */
public final class LogReader {
    private final Database database;

    public LogReader(Database database) {
        this.database = database;
    }

    /** Up to {@code limit} entries after a seq, ascending. */
    public List<Entry> entriesAfter(ThreadId thread, long seq, int limit) {
        return entries("""
                select %s from entries e
                where e.thread_id = :thread and e.seq > :seq order by e.seq limit :limit""", thread, seq, limit);
    }

    /** Up to {@code limit} entries before a seq, the nearest ones, ascending. */
    public List<Entry> entriesBefore(ThreadId thread, long seq, int limit) {
        return entries("""
                select %s from entries e
                where e.thread_id = :thread and e.seq < :seq order by e.seq desc limit :limit""", thread, seq, limit).reversed();
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

    /** Up to {@code limit} messages after a seq, ascending; revisions are passed over, in the index alone. */
    public List<Entry> messagesAfter(ThreadId thread, long seq, int limit) {
        return entries("""
                select %s from (
                    select m.thread_id, m.seq from entries m
                    where m.thread_id = :thread and m.seq > :seq and m.kind = 0
                    order by m.seq limit :limit) as found
                join entries e using (thread_id, seq) order by e.seq""", thread, seq, limit);
    }

    /** Up to {@code limit} messages before a seq, the nearest ones, ascending; revisions are passed over, in the index alone. */
    public List<Entry> messagesBefore(ThreadId thread, long seq, int limit) {
        return entries("""
                select %s from (
                    select m.thread_id, m.seq from entries m
                    where m.thread_id = :thread and m.seq < :seq and m.kind = 0
                    order by m.seq desc limit :limit) as found
                join entries e using (thread_id, seq) order by e.seq desc""", thread, seq, limit).reversed();
    }

    /** Up to {@code limit} messages after a seq that an author did not write, ascending. */
    public List<Entry> messagesOfOthersAfter(ThreadId thread, Actor author, long seq, int limit) {
        String sql = """
                select %s from (
                    select m.thread_id, m.seq from entries m
                    where m.thread_id = :thread and m.seq > :seq and m.kind = 0 and m.author <> :author
                    order by m.seq limit :limit) as found
                join entries e using (thread_id, seq) order by e.seq""".formatted(EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("author", author.value())
                .bind("limit", limit)
                .map((row, context) -> EntryRow.read(row))
                .list());
    }

    /**
     * The revisions of messages that still count, in order, by the seq of the message: its deletion, its last edit before
     * that, its withdrawal, and the reactions that were not taken back. Somebody who changes their mind a thousand times is read once:
     * the walk goes from one (author, emoji) to the next, and looks at the last word of each.
     */
    public Map<Long, List<Entry>> revisionsOf(ThreadId thread, List<Long> seqs) {
        if (seqs.isEmpty() || !hasRevisions(thread, Collections.min(seqs), Collections.max(seqs))) {
            return Map.of();
        }
        String sql = """
                with recursive wanted as (select unnest(:seqs::bigint[]) as target_seq),
                last_words as (
                    select word.* from wanted cross join lateral (
                        select e.target_seq, e.author, e.content, e.seq, e.kind from entries e
                        where e.thread_id = :thread and e.target_seq = wanted.target_seq and e.kind in (3, 4)
                        order by e.author, e.content collate "C", e.seq desc limit 1) as word
                    union all
                    select word.* from last_words w cross join lateral (
                        select e.target_seq, e.author, e.content, e.seq, e.kind from entries e
                        where e.thread_id = :thread and e.target_seq = w.target_seq and e.kind in (3, 4)
                            and (e.author, e.content collate "C") > (w.author, w.content collate "C")
                        order by e.author, e.content collate "C", e.seq desc limit 1) as word),
                deletions as (
                    select wanted.target_seq, deletion.seq from wanted left join lateral (
                        select e.seq from entries e
                        where e.thread_id = :thread and e.target_seq = wanted.target_seq and e.kind = 2
                        order by e.seq desc limit 1) as deletion on true),
                counting as (
                    select seq from last_words where kind = 3
                    union all
                    select seq from deletions where seq is not null
                    union all
                    select withdrawal.seq from wanted cross join lateral (
                        select e.seq from entries e
                        where e.thread_id = :thread and e.target_seq = wanted.target_seq and e.kind = 5
                        order by e.seq limit 1) as withdrawal
                    union all
                    select edit.seq from deletions d cross join lateral (
                        select e.seq from entries e
                        where e.thread_id = :thread and e.target_seq = d.target_seq and e.kind = 1
                            and (d.seq is null or e.seq < d.seq)
                        order by e.seq desc limit 1) as edit)
                select %s from counting join entries e on e.thread_id = :thread and e.seq = counting.seq
                order by e.seq""".formatted(EntryRow.columns("e"));
        return database.read(handle -> handle
                .createQuery(sql)
                .bind("thread", thread.value())
                .bindArray("seqs", Long.class, seqs)
                .map((row, context) -> EntryRow.read(row))
                .stream()
                .collect(Collectors.groupingBy(
                        entry -> Objects.requireNonNull(entry.said().targetSeq()))));
    }

    /**
     * Whether anything was said about the messages of a stretch. Mostly nothing was, and two probes tell: the walk above
     * is planned anew for every list of seqs, which alone takes longer than all else that a short page costs.
     */
    private boolean hasRevisions(ThreadId thread, long first, long last) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                                select 1 from entries
                                where thread_id = :thread and target_seq between :first and :last and kind in (1, 2, 5))
                            or exists (
                                select 1 from entries
                                where thread_id = :thread and target_seq between :first and :last and kind in (3, 4))""")
                .bind("thread", thread.value())
                .bind("first", first)
                .bind("last", last)
                .mapTo(Boolean.class)
                .one());
    }

    /**
     * A stretch of a thread that was answered anew.
     *
     * @param after the seq of the message that was answered again
     * @param before the seq at which that was decided
     */
    public record Superseded(long after, long before) {
        public boolean holds(long seq) {
            return after < seq && seq < before;
        }
    }

    /**
     * What was answered anew in a stretch of a thread.
     *
     * @param stretches those whose supersession was not lifted
     * @param restored the messages that were superseded when they were written, and are not any more
     */
    public record Supersessions(List<Superseded> stretches, Set<Long> restored) {
        public static final Supersessions NONE = new Supersessions(List.of(), Set.of());

        public boolean hold(long seq) {
            return stretches.stream().anyMatch(each -> each.holds(seq));
        }
    }

    private record Supersession(Superseded stretch, boolean lifts) {}

    /**
     * The supersessions that may concern something after a seq. One whose target is a supersession lifts it; one whose
     * target is a message of a run restores that message. All others have the question as their target.
     */
    public Supersessions supersessionsAfter(ThreadId thread, long first) {
        List<Supersession> found = database.read(handle -> handle.createQuery("""
                        select s.seq, s.target_seq, t.kind = 6 or t.role <> 'user' as lifts
                        from (
                            select seq, target_seq from entries
                            where thread_id = :thread and kind = 6 and seq > :first
                            order by seq limit 10000) as s
                        cross join lateral (
                            select kind, role from entries e
                            where e.thread_id = :thread and e.seq = s.target_seq limit 1) as t""")
                .bind("thread", thread.value())
                .bind("first", first)
                .map((row, context) -> new Supersession(
                        new Superseded(row.getLong("target_seq"), row.getLong("seq")), row.getBoolean("lifts")))
                .list());
        Set<Long> lifted = found.stream()
                .filter(Supersession::lifts)
                .map(each -> each.stretch().after())
                .collect(Collectors.toSet());
        return new Supersessions(
                found.stream()
                        .filter(each ->
                                !each.lifts() && !lifted.contains(each.stretch().before()))
                        .map(Supersession::stretch)
                        .toList(),
                lifted);
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

    /** Where the messages of some ids stand, by id; ids that no message has are left out. */
    public Map<String, Long> seqsOf(ThreadId thread, Collection<String> ids) {
        Map<UUID, String> byKey = new HashMap<>();
        ids.forEach(id -> byKey.put(EntryKey.id(id).value(), id));
        if (byKey.isEmpty()) {
            return Map.of();
        }
        // One index probe per key: a join would let a never-analysed table be scanned.
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

    private List<Entry> entries(String sql, ThreadId thread, long seq, int limit) {
        return database.read(handle -> handle.createQuery(sql.formatted(EntryRow.columns("e")))
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("limit", limit)
                .map((row, context) -> EntryRow.read(row))
                .list());
    }

    /** Up to {@code limit} events of the conversation after a position, in order: without those that runs emit. */
    public List<Event> eventsAfter(ThreadId thread, long position, int limit) {
        String sql = """
                select %s, %s
                from events ev
                left join entries e on ev.type is null and e.thread_id = ev.thread_id and e.seq = ev.seq
                where ev.thread_id = :thread and ev.position > :position and ev.run is null
                order by ev.position limit :limit""".formatted(EntryRow.EVENT_COLUMNS, EntryRow.columns("e"));
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("position", position)
                .bind("limit", limit)
                .map((row, context) -> event(row, thread, position))
                .list());
    }

    /**
     * Up to {@code limit} events of all kinds after a position, in order, but stops behind the event with which their text reaches so many
     * bytes; the database counts, so that what is not wanted does not come here first.
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
                .map((row, context) -> event(row, thread, position))
                .list());
    }

    /** Up to {@code limit} stretches of one run's own events after a position, in order. */
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

    /** Whether anything that a run emitted between two positions is still kept. */
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

    private static Event event(ResultSet row, ThreadId thread, long after) throws SQLException {
        if (row.getString("type") == null) {
            return new Event.Committed(EntryRow.read(row));
        }
        Event event = EntryRow.readWithoutEntry(row, thread);
        return event instanceof Event.Emitted emitted ? emitted.after(after) : event;
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

    /** Up to where events of runs are no longer kept; 0 if all are. Whoever stands before it may have missed some. */
    public long expiredTo(ThreadId thread) {
        return database.read(
                        handle -> handle.createQuery("select position from expired_events where thread_id = :thread")
                                .bind("thread", thread.value())
                                .mapTo(Long.class)
                                .findOne())
                .orElse(0L);
    }

    /**
     * Where a thread stands.
     *
     * @param facts the number of its facts, which moves with every change of who may read it
     */
    public record Standing(ThreadId thread, long position, long facts) {}

    /** Those of the threads that do not stand where they are said to, as they stand now. */
    public List<Standing> moved(List<Standing> known) {
        String sql = """
                select h.thread_id, h.last_position, h.facts
                from unnest(?::uuid[], ?::bigint[], ?::bigint[]) as known (thread_id, position, facts)
                join thread_heads h on h.thread_id = known.thread_id
                where h.last_position <> known.position or h.facts <> known.facts""";
        return database.read(handle -> {
            List<Standing> moved = new ArrayList<>();
            try (PreparedStatement statement = handle.getConnection().prepareStatement(sql)) {
                new SqlArrays(handle.getConnection(), statement)
                        .uuids(known, each -> each.thread().value())
                        .longs(known, Standing::position)
                        .longs(known, Standing::facts);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        moved.add(new Standing(
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

    /** The number of what rules know of a thread: it moves with every change of that, and with every erasure. */
    public long facts(ThreadId thread) {
        return database.read(handle -> handle.createQuery("select facts from thread_heads where thread_id = :thread")
                .bind("thread", thread.value())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
    }

    /** The last positions of those of the given threads that exist. */
    public Map<ThreadId, Long> lastPositions(Collection<ThreadId> threads) {
        Object[] ids = threads.stream().map(ThreadId::value).toArray();
        return database.read(handle -> handle.createQuery(
                        "select thread_id, last_position from thread_heads where thread_id = any (:threads)")
                .bindArray("threads", UUID.class, ids)
                .map((row, context) ->
                        Map.entry(new ThreadId(row.getObject("thread_id", UUID.class)), row.getLong("last_position")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
