package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;

/**
 * Erases data that only sessions have: answers in runs that were not streamed, and documents, which usually hold the
 * conversation so far. The shared state of runs is such a document.
 */
final class SessionEraser {
    private final Database database;

    SessionEraser(Database database) {
        this.database = database;
    }

    /** The answers in the same session runs as these messages. */
    List<Long> answersTo(ThreadId thread, List<Long> seqs, int limit) {
        return database.read(handle -> handle.createQuery("""
                        select distinct e.seq from chat_events asked
                        join chat_events said on said.thread_id = asked.thread_id and said.run_id = asked.run_id
                        join entries e on e.thread_id = said.thread_id and e.seq = said.seq
                        where asked.thread_id = :thread and asked.seq = any (:seqs) and e.role <> 'user'
                            and e.erased_at is null
                        order by e.seq limit :limit""")
                .bind("thread", thread.value())
                .bindArray("seqs", Long.class, seqs)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list());
    }

    /** Erases the documents that remain after the messages of a task are erased. */
    void eraseDocuments(ErasureTask work) {
        Actor actor = work.actor();
        if (work.erasesAll()) {
            forgetAll(work.thread());
        } else if (actor != null && work.erasedAt() != null) {
            forgetRunDocuments(work.thread());
            if (work.before() == null) {
                forgetShared(work.thread(), actor);
            }
        }
    }

    /** Erases the documents of all runs, because a run's document repeats all earlier messages of every author. */
    private void forgetRunDocuments(ThreadId thread) {
        execute(thread, """
                update session_runs set document = '{}', version = version + 1
                where thread_id = :thread and document is not null and document::text <> '{}'""");
    }

    private void forgetSessionDocument(ThreadId thread) {
        execute(thread, """
                update session_documents set document = '{}', version = version + 1, updated_at = now()
                where thread_id = :thread and document::text <> '{}'""");
    }

    /**
     * Erases the session's document and the shared state as a whole, because the person's part cannot be told from the
     * rest.
     */
    private void forgetShared(ThreadId thread, Actor actor) {
        forgetSessionDocument(thread);
        database.transact(handle -> handle.createUpdate("""
                        delete from thread_states s where s.thread_id = :thread and exists (
                            select 1 from runs r
                            where r.thread_id = s.thread_id and r.erased_at is not null
                                and (r.started_by = :actor or r.agent = :actor))""")
                .bind("thread", thread.value())
                .bind("actor", actor.value())
                .execute());
    }

    private void forgetAll(ThreadId thread) {
        forgetRunDocuments(thread);
        forgetSessionDocument(thread);
        execute(thread, "delete from thread_states where thread_id = :thread");
        execute(thread, """
                delete from inbound_revisions r using bindings b
                where b.thread_id = :thread and r.source = b.source and r.workspace = b.workspace
                    and r.channel = b.channel""");
    }

    private void execute(ThreadId thread, String sql) {
        database.transact(handle ->
                handle.createUpdate(sql).bind("thread", thread.value()).execute());
    }
}
