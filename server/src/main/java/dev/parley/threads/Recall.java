package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Finds earlier messages of a thread by their words, with PostgreSQL's full-text search. The words of a thread are
 * indexed at its first search, so threads without searches cost nothing.
 */
public final class Recall {
    /** The maximum number of messages to find. Fewer are shown, because some may be deleted or shown already. */
    private static final int CANDIDATES = 20;
    /** The number of seqs that are indexed in one transaction. */
    private static final int PIECE = 1_000;
    /** The maximum distance of an indexed message from the seq before which a search looks. */
    private static final int MAX_DISTANCE = 50_000;

    private static final int MAX_TEXT = 20_000;

    private final Database database;
    private final Messages messages;

    public Recall(Database database, Messages messages) {
        this.database = database;
        this.messages = messages;
    }

    /**
     * The messages before a seq that are most like a text, the best ones first.
     *
     * @param reader the actor who searches; the search finds nothing in a thread that this actor may not read
     */
    public List<RevisedMessage> find(Actor reader, ThreadId thread, String text, long before) {
        String query = RecallWords.query(text);
        if (query.isEmpty() || before <= 1) {
            return List.of();
        }
        index(thread, before);
        List<Long> candidates = database.read(handle -> candidates(handle, reader, thread, query, before));
        List<RevisedMessage> readable = messages.at(thread, candidates).stream()
                .filter(message -> !message.isDeleted() && !message.withdrawn() && !message.superseded())
                .toList();
        return candidates.stream()
                .flatMap(seq ->
                        readable.stream().filter(message -> message.original().seq() == seq))
                .toList();
    }

    /** The membership is checked in the same query, so that no removal can come between check and read. */
    private static List<Long> candidates(Handle handle, Actor reader, ThreadId thread, String query, long before) {
        return handle.createQuery("""
                        select w.seq from recall_words w, to_tsquery('simple', :query) asked
                        where w.thread_id = :thread and w.words @@ asked and w.seq < :before
                            and exists (select 1 from participants p
                                where p.thread_id = w.thread_id and p.actor = :reader and p.capabilities & 1 = 1)
                        order by ts_rank(w.words, asked) desc, w.seq desc limit :limit""")
                .bind("query", "'" + RecallWords.ofThread(thread) + "' & (" + query + ")")
                .bind("thread", thread.value())
                .bind("before", before)
                .bind("reader", reader.value())
                .bind("limit", CANDIDATES)
                .mapTo(Long.class)
                .list();
    }

    /** Indexes the words of the messages before a seq that are not indexed yet. */
    private void index(ThreadId thread, long before) {
        long done = database.read(
                handle -> handle.createQuery("select last_seq from recall_progress where thread_id = :thread")
                        .bind("thread", thread.value())
                        .mapTo(Long.class)
                        .findOne()
                        .orElse(0L));
        long from = Math.max(done, before - MAX_DISTANCE);
        while (from < before - 1) {
            long upTo = Math.min(before - 1, from + PIECE);
            index(thread, from, upTo);
            from = upTo;
        }
    }

    private record Wording(long seq, String words) {}

    private void index(ThreadId thread, long after, long upTo) {
        database.transact(handle -> {
            if (!ThreadStore.isAliveUntilDone(handle, thread)) {
                return 0;
            }
            List<Wording> wordings = handle.createQuery("""
                            select seq, left(content, :longest) as content from entries
                            where thread_id = :thread and seq > :after and seq <= :upTo and kind = 0
                                and role in ('user', 'assistant')
                                and coalesce(metadata ->> 'include_in_memory', 'true') <> 'false'""")
                    .bind("longest", MAX_TEXT)
                    .bind("thread", thread.value())
                    .bind("after", after)
                    .bind("upTo", upTo)
                    .map((row, context) -> new Wording(row.getLong("seq"), RecallWords.in(row.getString("content"))))
                    .list();
            insert(handle, thread.value(), wordings);
            return handle.createUpdate("""
                            insert into recall_progress (thread_id, last_seq) values (:thread, :upTo)
                            on conflict (thread_id) do update
                            set last_seq = greatest(recall_progress.last_seq, excluded.last_seq)""")
                    .bind("thread", thread.value())
                    .bind("upTo", upTo)
                    .execute();
        });
    }

    private static void insert(Handle handle, UUID thread, List<Wording> wordings) {
        List<Wording> searchable =
                wordings.stream().filter(each -> !each.words().isEmpty()).toList();
        if (searchable.isEmpty()) {
            return;
        }
        handle.createUpdate("""
                        insert into recall_words (thread_id, seq, words)
                        select :thread, each.seq, to_tsvector('simple', each.words) || array_to_tsvector(array[:own])
                        from unnest(:seqs::bigint[], :texts::text[]) as each (seq, words)
                        on conflict do nothing""")
                .bind("thread", thread)
                .bind("own", RecallWords.ofThread(new ThreadId(thread)))
                .bindArray(
                        "seqs",
                        Long.class,
                        searchable.stream().map(Wording::seq).toArray())
                .bindArray(
                        "texts",
                        String.class,
                        searchable.stream().map(Wording::words).toArray())
                .execute();
    }
}
