package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the revisions of messages: edits, deletions, reactions, withdrawals and supersessions. */
public final class RevisionReader {

    private final Database database;

    public RevisionReader(Database database) {
        this.database = database;
    }

    /**
     * Revisions by the seq of their message, in order.
     *
     * @param omitted the messages after the message whose revisions filled the page
     * @param bytes the bytes of the revisions that are not omitted; if they exceed the room, some revisions are missing
     */
    public record Revisions(Map<Long, List<Entry>> bySeq, Set<Long> omitted, long bytes) {
        static final Revisions NOTHING = new Revisions(Map.of(), Set.of(), 0);
    }

    /**
     * The revisions that still count: for each message its deletion, its last edit before the deletion, its withdrawal,
     * and the reactions that were not removed. If a person adds and removes a reaction a thousand times, only the last
     * entry is read, because the query walks from one pair of author and emoji to the next.
     */
    public Revisions revisionsOf(ThreadId thread, List<Long> seqs, Direction direction, PageSize size) {
        if (seqs.isEmpty() || !hasRevisions(thread, Collections.min(seqs), Collections.max(seqs))) {
            return Revisions.NOTHING;
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
                    order by e.seq desc limit 1) as edit),
            sized as (
                select c.seq, e.target_seq, sum(512 + octet_length(e.content)) over (order by e.target_seq %2$s) as bytes_to_here,
                    coalesce(sum(512 + octet_length(e.content)) over (order by e.target_seq %2$s
                        groups between unbounded preceding and 1 preceding), 0) as bytes_before
                from counting c join entries e on e.thread_id = :thread and e.seq = c.seq)
            select sized.target_seq, sized.bytes_to_here, sized.bytes_before, %1$s
            from sized left join entries e
            on e.thread_id = :thread and e.seq = sized.seq
                and sized.bytes_before < :bytes and sized.bytes_to_here <= :room
            order by sized.seq""".formatted(EntryRow.columns("e"), direction.order);
        Map<Long, List<Entry>> bySeq = new HashMap<>();
        Set<Long> omitted = new HashSet<>();
        long bytes = database
                .read(handle -> handle.createQuery(sql)
                        .bind("thread", thread.value())
                        .bindArray("seqs", Long.class, seqs)
                        .bind("bytes", size.bytes())
                        .bind("room", size.room())
                        .map((row, context) -> {
                            long target = row.getLong("target_seq");
                            long toHere = row.getLong("bytes_to_here");
                            if (row.getLong("bytes_before") >= size.bytes()) {
                                omitted.add(target);
                                return 0L;
                            }
                            if (toHere <= size.room()) {
                                bySeq.computeIfAbsent(target, seq -> new ArrayList<>())
                                        .add(EntryRow.read(row));
                            }
                            return toHere;
                        })
                        .list())
                .stream()
                .reduce(0L, Math::max);
        return new Revisions(bySeq, omitted, bytes);
    }

    /**
     * True if a message of the stretch has a revision. Most stretches have none, and two cheap probes are enough for
     * those. Without the probes, PostgreSQL would plan the walk above again for every list of seqs. The planning alone
     * takes longer than the rest of a short page.
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
     * @param before the seq of the supersession
     */
    record Superseded(long after, long before) {
        boolean holds(long seq) {
            return after < seq && seq < before;
        }
    }

    /**
     * The superseded parts of a stretch of a thread.
     *
     * @param stretches the stretches that are still superseded, because no later entry lifted their supersession
     * @param restored the messages that were superseded when they were written, and no longer are
     */
    public record Supersessions(List<Superseded> stretches, Set<Long> restored) {
        public static final Supersessions NONE = new Supersessions(List.of(), Set.of());

        public boolean hold(long seq) {
            return stretches.stream().anyMatch(each -> each.holds(seq));
        }
    }

    private record Supersession(Superseded stretch, boolean lifts) {}

    /**
     * The supersessions that may concern entries after a seq. A supersession that targets a supersession lifts its
     * target: the superseded messages count again. A supersession that targets a run's message makes that message count
     * again. All other supersessions target the question.
     */
    public Supersessions supersessionsAfter(ThreadId thread, long first) {
        List<Supersession> supersessions = database.read(handle -> handle.createQuery("""
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
        Set<Long> lifted = supersessions.stream()
                .filter(Supersession::lifts)
                .map(each -> each.stretch().after())
                .collect(Collectors.toSet());
        return new Supersessions(
                supersessions.stream()
                        .filter(each ->
                                !each.lifts() && !lifted.contains(each.stretch().before()))
                        .map(Supersession::stretch)
                        .toList(),
                lifted);
    }
}
