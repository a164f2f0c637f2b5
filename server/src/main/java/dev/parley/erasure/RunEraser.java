package dev.parley.erasure;

import dev.parley.log.Compaction;
import dev.parley.protocol.Actor;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import dev.parley.storage.Database;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Erases the inputs and events of runs and, if only one person's messages are erased, the answers to that person,
 * because an answer repeats the question. Active runs are cancelled first.
 */
final class RunEraser {
    private static final int ANSWERS = 500;
    private static final int PIECE = 2_000;

    /**
     * The runs that an erasure covers: the actor's runs (or all runs, if the whole thread is erased) before its time,
     * and the runs that erased messages triggered.
     */
    private static final String OWN = """
            r.thread_id = :thread and r.root is null and (
                ((:whole or r.started_by = :actor or r.agent = :actor)
                    and r.created_at < coalesce(:before::timestamptz, 'infinity'))
                or exists (
                    select 1 from entries e
                    where e.thread_id = r.thread_id and e.seq = any (r.triggers) and e.erased_at is not null))
            """;

    private final Database database;
    private final Runs runs;
    private final Compaction compaction;
    private final ErasureStore store;

    RunEraser(Database database, Runs runs, Compaction compaction, ErasureStore store) {
        this.database = database;
        this.runs = runs;
        this.compaction = compaction;
        this.store = store;
    }

    /** Cancels an active run; false if there is none. */
    boolean cancelOne(ErasureTask work) {
        Optional<UUID> task = database.read(
                handle -> bind(work, handle.createQuery("select r.task_id from runs r where " + OWN + """
                                and r.state in ('queued', 'running', 'waiting') limit 1"""))
                        .mapTo(UUID.class)
                        .findOne());
        task.flatMap(runs::find).ifPresent(runs.cancellation()::abandon);
        return task.isPresent();
    }

    /** Erases a finished run; false if there is none left. */
    boolean eraseOne(ErasureTask work, Consumer<List<Long>> eraseEntries) {
        Optional<Run> found = database.read(
                        handle -> bind(work, handle.createQuery("select r.task_id from runs r where " + OWN + """
                                and r.erased_at is null and r.ended_at is not null and r.created_position >= :from
                                order by r.created_position limit 1"""))
                                .bind("from", work.runsTo())
                                .mapTo(UUID.class)
                                .findOne())
                .flatMap(runs::find);
        if (found.isEmpty()) {
            return eraseCopies(work);
        }
        Run run = found.get();
        if (!work.whole()) {
            List<Long> answers = answers(run);
            if (!answers.isEmpty()) {
                eraseEntries.accept(answers);
                return true;
            }
        }
        expire(run);
        database.transact(handle -> erase(handle, run));
        store.recordProgress(work, "runs_to", run.positions().created());
        return true;
    }

    /**
     * Erases copies in the ended runs of others that began before the messages were erased; false if no copy is left.
     * Such a run may have received the conversation as input, or repeated it in its events.
     */
    boolean eraseCopies(ErasureTask work) {
        if (work.erasedAt() == null) {
            return false;
        }
        int freed = database.transact(handle -> handle.createUpdate("""
                        update runs set input = null where task_id in (
                            select task_id from runs
                            where thread_id = :thread and ended_at is not null and input is not null
                                and created_at <= :erased limit :limit)""")
                .bind("thread", work.thread().value())
                .bind("erased", ErasureStore.atUtc(work.erasedAt()))
                .bind("limit", PIECE)
                .execute());
        if (freed == PIECE) {
            return true;
        }
        Optional<Run> repeating = database.read(handle -> handle.createQuery("""
                                select r.task_id from runs r
                                where r.thread_id = :thread and r.root is null and r.ended_at is not null
                                    and r.stored < 2 and r.created_at <= :erased and exists (
                                        select 1 from events ev
                                        where ev.thread_id = r.thread_id
                                            and ev.position between r.created_position and r.last_position
                                            and ev.run = r.task_id and ev.payload like '%"MESSAGES_SNAPSHOT"%')
                                limit 1""")
                        .bind("thread", work.thread().value())
                        .bind("erased", ErasureStore.atUtc(work.erasedAt()))
                        .mapTo(UUID.class)
                        .findOne())
                .flatMap(runs::find);
        repeating.ifPresent(run -> {
            expire(run);
            database.transact(handle -> handle.createUpdate("update runs set stored = 2 where task_id = :task")
                    .bind("task", run.taskId())
                    .execute());
        });
        return repeating.isPresent();
    }

    /**
     * True if another person's active run began before the last piece was erased. Such a run may still write down the
     * erased messages.
     */
    boolean isReadByOthers(ErasureTask work) {
        return work.erasedAt() != null
                && database.read(handle -> handle.createQuery("""
                                select exists (
                                    select 1 from runs
                                    where thread_id = :thread and state in ('queued', 'running')
                                        and created_at <= :erased)""")
                        .bind("thread", work.thread().value())
                        .bind("erased", ErasureStore.atUtc(work.erasedAt()))
                        .mapTo(Boolean.class)
                        .one());
    }

    /** The messages of a run that are not erased. They lie between the first and the last position of the run. */
    private List<Long> answers(Run run) {
        return database.read(handle -> handle.createQuery("""
                        select e.seq from entries e
                        where e.thread_id = :thread and e.kind = 0 and e.author = :agent and e.erased_at is null
                            and e.seq > coalesce((
                                select seq from events where thread_id = :thread and position <= :first
                                order by position desc limit 1), 0)
                            and e.seq <= coalesce((
                                select seq from events where thread_id = :thread and position <= :last
                                order by position desc limit 1), 0)
                            and e.metadata ->> 'run_id' = :run
                        order by e.seq limit :limit""")
                .bind("thread", run.thread().value())
                .bind("agent", run.agent().value())
                .bind("first", run.positions().created())
                .bind("last", lastPosition(run))
                .bind("run", run.runId())
                .bind("limit", ANSWERS)
                .mapTo(Long.class)
                .list());
    }

    private static long lastPosition(Run run) {
        return run.positions().last() == null
                ? run.positions().created()
                : run.positions().last();
    }

    private void expire(Run run) {
        for (long from = run.positions().created(); from <= lastPosition(run); ) {
            from = compaction.expire(run.thread(), run.taskId(), from, lastPosition(run)) + 1;
        }
    }

    private static int erase(Handle handle, Run run) {
        // A failed run stays failed, but loses its error message.
        handle.createUpdate("""
                        update runs set input = null, fingerprint = null,
                            outcome = case when outcome ->> 'type' = 'cancelled'
                                then json_build_object('type', 'cancelled') end,
                            error_message = case when error_message is not null then 'Erased.' end,
                            stored = 2, erased_at = now()
                        where task_id = :task or root = :task""").bind("task", run.taskId()).execute();
        for (String table : List.of("interrupts", "open_calls")) {
            handle.createUpdate("delete from " + table + " where thread_id = :thread and task_id = :task")
                    .bind("thread", run.thread().value())
                    .bind("task", run.taskId())
                    .execute();
        }
        // The document is erased by a statement of its own, because clients compare its version, and erasing the names
        // does not change the version.
        int documents = handle.createUpdate("""
                        update session_runs set document = '{}', version = version + 1
                        where thread_id = :thread and run_id = :run and document is not null
                            and document::text <> '{}'""")
                .bind("thread", run.thread().value())
                .bind("run", run.runId())
                .execute();
        return documents
                + handle.createUpdate("""
                        update session_runs set agent_name = null, team_name = null
                        where thread_id = :thread and run_id in (
                            select run_id from runs where task_id = :task or root = :task)""")
                        .bind("thread", run.thread().value())
                        .bind("task", run.taskId())
                        .execute();
    }

    private static Query bind(ErasureTask work, Query query) {
        return query.bind("thread", work.thread().value())
                .bind("whole", work.whole())
                .bind("actor", text(work.actor()))
                .bind("before", ErasureStore.atUtc(work.before()));
    }

    private static @Nullable String text(@Nullable Actor actor) {
        return actor == null ? null : actor.value();
    }
}
