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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Erases within one thread, a piece of bounded size at a time, each in a transaction of its own: first entries, then
 * announcements, then the inputs and events of runs, then files. Every piece may be repeated, so a node that takes over
 * continues at the recorded progress.
 */
final class ThreadEraser {
    /** The outcome of one piece. */
    enum Progress {
        MOVED,
        /**
         * Active runs of others have read the erased messages; the rest of the task waits for the end of these runs.
         */
        WAITING,
        DONE
    }

    private static final int PIECE = 500;
    private static final int EVENTS = 5_000;
    private static final Duration APPEND_TIMEOUT = Duration.ofSeconds(30);

    private final Database database;
    private final Log log;
    private final Contexts contexts;
    private final FileEraser files;
    private final ErasureStore store;
    private final RunEraser runs;
    private final SessionEraser sessions;

    /** The erasers of data other than messages. */
    record FeatureErasers(Contexts contexts, FileEraser files, RunEraser runs, SessionEraser sessions) {}

    ThreadEraser(Database database, Log log, ErasureStore store, FeatureErasers erasers) {
        this.database = database;
        this.log = log;
        this.store = store;
        this.contexts = erasers.contexts();
        this.files = erasers.files();
        this.runs = erasers.runs();
        this.sessions = erasers.sessions();
    }

    /** Executes the next piece. */
    Progress advance(ErasureTask work) {
        if (isShared(work)) {
            store.markShared(work);
            return Progress.MOVED;
        }
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

    /**
     * True if other people have joined a thread in which the person was alone. The steps check this again, under the
     * thread's lock.
     */
    private boolean isShared(ErasureTask work) {
        Actor alone = work.alone();
        return alone != null
                && ask(connection -> ErasureStepWriter.isShared(connection, work.thread(), alone, List.of()));
    }

    /** A query that runs outside of the lane's transaction here, and again inside of it. */
    private interface Query<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> T ask(Query<T> query) {
        return database.read(handle -> {
            try {
                return query.ask(handle.getConnection());
            } catch (SQLException failed) {
                throw new IllegalStateException("Could not read a thread", failed);
            }
        });
    }

    private record EntryState(long seq, boolean erased) {}

    private boolean eraseEntries(ErasureTask work) {
        List<EntryState> found = database.read(handle -> handle.createQuery("""
                        select seq, erased_at is not null as erased from entries
                        where thread_id = :thread and seq > :to and (:whole or author = :actor)
                            and created_at < coalesce(:before::timestamptz, 'infinity')
                        order by seq limit :limit""")
                .bind("thread", work.thread().value())
                .bind("to", work.entriesTo())
                .bind("whole", work.whole())
                .bind("actor", work.actor() == null ? null : work.actor().value())
                .bind("before", ErasureStore.atUtc(work.before()))
                .bind("limit", PIECE)
                .map((row, context) -> new EntryState(row.getLong("seq"), row.getBoolean("erased")))
                .list());
        if (found.isEmpty()) {
            return false;
        }
        List<Long> fresh = found.stream()
                .filter(each -> !each.erased())
                .map(EntryState::seq)
                .toList();
        long to = found.getLast().seq();
        List<Long> answers =
                work.whole() || fresh.isEmpty() ? List.of() : sessions.answersTo(work.thread(), fresh, PIECE);
        if (fresh.isEmpty()) {
            store.recordProgress(work, "entries_to", to);
        } else if (!answers.isEmpty()) {
            // The questions are erased later, because the answers are found through the questions.
            erase(work, answers, 0);
        } else {
            erase(work, fresh, to);
        }
        return true;
    }

    /**
     * Erases the entries with their edits and reactions. If there are too many edits and reactions, only these are
     * erased now, and the entries are tried again.
     *
     * @param to the seq up to which entries are done afterwards
     */
    private void erase(ErasureTask work, List<Long> seqs, long to) {
        ThreadId thread = work.thread();
        List<Long> revisions = ask(connection -> ErasureStepWriter.revisions(connection, thread, seqs));
        boolean tooMany = revisions.size() == ErasureStepWriter.REVISIONS;
        List<Long> all = (tooMany ? revisions.stream() : Stream.concat(seqs.stream(), revisions.stream()))
                .distinct()
                .sorted()
                .toList();
        files.record(work, all);
        carry(
                thread,
                new ErasureStep.Entries(work.erasure(), thread, all, tooMany ? 0 : to, work.alone(), 0),
                ranges(all));
    }

    /** Executes a step that removes quotes from entries. */
    void carry(ErasureStep.Quotes step) {
        carry(step.thread(), step, ranges(step.seqs()));
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
                APPEND_TIMEOUT);
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

    /** Erases announcements, because they contain titles and names. Their positions stay. */
    private boolean eraseAnnouncements(ErasureTask work) {
        Optional<Long> to = database.transact(handle -> {
            Optional<Long> last = handle.createQuery("""
                            with piece as (
                                select position, type, run, created_at from events
                                where thread_id = :thread and position > :from order by position limit :limit)
                            select position from piece
                            -- younger announcements are checked once they are due
                            where position < coalesce((
                                select min(position) from piece
                                where type = 'thread_updated' and run is null and created_at >= :before::timestamptz),
                                9223372036854775807)
                            order by position desc limit 1""")
                    .bind("thread", work.thread().value())
                    .bind("from", work.eventsTo())
                    .bind("before", ErasureStore.atUtc(work.before()))
                    .bind("limit", EVENTS)
                    .mapTo(Long.class)
                    .findOne();
            last.ifPresent(end -> handle.createUpdate("""
                                update events set payload = '{}'
                                where thread_id = :thread and position > :from and position <= :to
                                    and type = 'thread_updated' and run is null
                                    and (:whole or actor = :actor or strpos(payload, :actor) > 0)""")
                    .bind("thread", work.thread().value())
                    .bind("from", work.eventsTo())
                    .bind("to", end)
                    .bind("whole", work.whole())
                    .bind("actor", work.actor() == null ? null : work.actor().value())
                    .execute());
            return last;
        });
        if (to.isEmpty()) {
            return false;
        }
        store.recordProgress(work, "events_to", to.get());
        return true;
    }

    private void eraseLeftovers(ErasureTask work) {
        if (work.erasedAt() != null || work.erasesAll()) {
            contexts.forget(work.thread());
        }
        sessions.eraseDocuments(work);
        files.remove(work);
    }
}
