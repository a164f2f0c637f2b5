package dev.parley.erasure;

import dev.parley.contexts.Contexts;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Erases in one thread, a piece of bounded size at a time, each in a transaction of its own: first the entries, then
 * announcements, then what runs were asked and emitted, then files. Every piece may be done again, so whoever takes a
 * broken erasure over goes on where its row stands.
 */
final class ThreadEraser {
    /** What came of trying to do a piece. */
    enum Progress {
        MOVED,
        /** Runs of others are under way that have read what was erased: only when they are over all of it can go. */
        WAITING,
        DONE
    }

    private static final int PIECE = 500;
    private static final int EVENTS = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Database database;
    private final Log log;
    private final Contexts contexts;
    private final FileEraser files;
    private final ErasureStore store;
    private final RunEraser runs;

    ThreadEraser(Database database, Log log, Contexts contexts, FileEraser files, ErasureStore store, RunEraser runs) {
        this.database = database;
        this.log = log;
        this.contexts = contexts;
        this.files = files;
        this.store = store;
        this.runs = runs;
    }

    /** Does the next piece. */
    Progress advance(Work work) {
        if (runs.cancelOne(work)
                || eraseEntries(work)
                || eraseAnnouncements(work)
                || runs.eraseOne(work, seqs -> erase(work, seqs, 0))) {
            return Progress.MOVED;
        }
        if (runs.isReadByOthers(work)) {
            return Progress.WAITING;
        }
        eraseLeftovers(work);
        carry(work.thread(), new ErasureStep.Closing(work), List.of());
        return store.again(work).isEmpty() ? Progress.DONE : Progress.MOVED;
    }

    private record Found(long seq, boolean erased, @Nullable String metadata) {}

    private boolean eraseEntries(Work work) {
        List<Found> found = database.read(handle -> handle.createQuery("""
                        select seq, erased_at is not null as erased, metadata from entries
                        where thread_id = :thread and seq > :to and (:whole or author = :actor)
                            and created_at < coalesce(:before::timestamptz, 'infinity')
                        order by seq limit :limit""")
                .bind("thread", work.thread().value())
                .bind("to", work.entriesTo())
                .bind("whole", work.whole())
                .bind("actor", work.actor() == null ? null : work.actor().value())
                .bind("before", ErasureStore.atUtc(work.before()))
                .bind("limit", PIECE)
                .map((row, context) ->
                        new Found(row.getLong("seq"), row.getBoolean("erased"), row.getString("metadata")))
                .list());
        if (found.isEmpty()) {
            return false;
        }
        files.note(work, found.stream().map(Found::metadata).toList());
        List<Long> fresh =
                found.stream().filter(each -> !each.erased()).map(Found::seq).toList();
        long to = found.getLast().seq();
        if (fresh.isEmpty()) {
            store.walked(work, "entries_to", to);
        } else {
            erase(work, fresh, to);
        }
        return true;
    }

    /** @param to the seq up to which entries are done then */
    private void erase(Work work, List<Long> seqs, long to) {
        carry(work.thread(), new ErasureStep.Entries(work.erasure(), work.thread(), seqs, to, 0), ranges(seqs));
    }

    private void carry(ThreadId thread, ErasureStep step, List<Map<String, Long>> ranges) {
        String payload = Json.MAPPER.writeValueAsString(Map.of("seq_ranges", ranges));
        log.carry(
                new Command(
                        UuidV7.next(),
                        thread,
                        Actor.SYSTEM,
                        List.of(
                                new Change.Apply(step),
                                new Change.Announce(Event.Announced.ERASED, Actor.SYSTEM, payload))),
                PATIENCE);
    }

    private static List<Map<String, Long>> ranges(List<Long> seqs) {
        List<Map<String, Long>> ranges = new ArrayList<>();
        long from = seqs.getFirst();
        for (int i = 0; i < seqs.size(); i++) {
            boolean ends = i + 1 == seqs.size() || seqs.get(i + 1) != seqs.get(i) + 1;
            if (ends) {
                ranges.add(Map.of("from", from, "to", seqs.get(i)));
                from = i + 1 == seqs.size() ? from : seqs.get(i + 1);
            }
        }
        return ranges;
    }

    /** Titles and names stand in what was announced. The positions stay. */
    private boolean eraseAnnouncements(Work work) {
        Long to = database.transact(handle -> {
            Long end = handle.createQuery("""
                            select position from (
                                select position from events where thread_id = :thread and position > :from
                                order by position limit :limit) as piece order by position desc limit 1""")
                    .bind("thread", work.thread().value())
                    .bind("from", work.eventsTo())
                    .bind("limit", EVENTS)
                    .mapTo(Long.class)
                    .findOne()
                    .orElse(null);
            if (end != null) {
                handle.createUpdate("""
                                update events set payload = '{}'
                                where thread_id = :thread and position > :from and position <= :to
                                    and type = 'thread_updated' and run is null
                                    and created_at < coalesce(:before::timestamptz, 'infinity')
                                    and (:whole or actor = :actor or strpos(payload, :actor) > 0)""")
                        .bind("thread", work.thread().value())
                        .bind("from", work.eventsTo())
                        .bind("to", end)
                        .bind("before", ErasureStore.atUtc(work.before()))
                        .bind("whole", work.whole())
                        .bind(
                                "actor",
                                work.actor() == null ? null : work.actor().value())
                        .execute();
            }
            return end;
        });
        if (to == null) {
            return false;
        }
        store.walked(work, "events_to", to);
        return true;
    }

    private void eraseLeftovers(Work work) {
        if (work.erasedAt() != null || work.everything()) {
            contexts.forget(work.thread());
        }
        if (work.everything()) {
            forgetDocuments(work.thread());
        } else if (work.before() == null && work.actor() != null) {
            forgetState(work.thread(), work.actor());
        }
        files.remove(work);
    }

    /** What somebody's runs have made of the shared state cannot be told from the rest of it. */
    private void forgetState(ThreadId thread, Actor actor) {
        database.transact(handle -> handle.createUpdate("""
                        delete from thread_states s where s.thread_id = :thread and exists (
                            select 1 from runs r
                            where r.thread_id = s.thread_id and r.erased_at is not null
                                and (r.started_by = :actor or r.agent = :actor))""")
                .bind("thread", thread.value())
                .bind("actor", actor.value())
                .execute());
    }

    private void forgetDocuments(ThreadId thread) {
        List<String> statements = List.of("delete from thread_states where thread_id = :thread", """
                update session_documents set document = '{}', version = version + 1, updated_at = now()
                where thread_id = :thread and document::text <> '{}'""", """
                update session_runs set document = '{}', version = version + 1
                where thread_id = :thread and document is not null and document::text <> '{}'""", """
                delete from inbound_revisions r using bindings b
                where b.thread_id = :thread and r.source = b.source and r.workspace = b.workspace
                    and r.channel = b.channel""");
        database.transact(handle -> {
            statements.forEach(sql ->
                    handle.createUpdate(sql).bind("thread", thread.value()).execute());
            return statements.size();
        });
    }
}
