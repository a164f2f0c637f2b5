package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Finds the threads that a person is or was in. There is no index by author, and erasures are rare, so all threads are
 * checked, a page at a time. A thread with no other person is erased as a whole, because all of its messages were
 * written to this person.
 */
final class PersonsThreads {
    private static final int PIECE = 100;
    private static final UUID LAST = new UUID(-1, -1);

    private static final String ADD = """
            insert into erasure_threads (erasure_id, thread_id, whole)
            select :erasure, p.thread_id, :person
                and not exists (
                    select 1 from participants q
                    where q.thread_id = p.thread_id and q.actor <> :actor and q.actor not like 'agent:%')
                and not exists (
                    select 1 from entries e
                    where e.thread_id = p.thread_id and e.author <> :actor and e.author not like 'agent:%'
                        and e.author <> 'system:parley')
            """;

    private final Database database;

    PersonsThreads(Database database) {
        this.database = database;
    }

    /** Checks the next page of threads; false if all were checked before. */
    boolean addNextThreads(Erasure erasure, Actor actor) {
        return database.transact(handle -> {
            UUID from = handle.createQuery("select looked_to from erasures where erasure_id = :erasure")
                    .bind("erasure", erasure.id())
                    .map((row, context) -> row.getObject(1, UUID.class))
                    .findOne()
                    .orElse(new UUID(0, 0));
            if (from.equals(LAST)) {
                return false;
            }
            UUID to = handle.createQuery("""
                            select thread_id from (
                                select thread_id from threads where thread_id > :from order by thread_id limit :piece)
                                as page order by thread_id desc limit 1""")
                    .bind("from", from)
                    .bind("piece", PIECE)
                    .mapTo(UUID.class)
                    .findOne()
                    .orElse(LAST);
            add(handle, erasure, actor, from, to);
            handle.createUpdate("update erasures set looked_to = :to where erasure_id = :erasure")
                    .bind("to", to)
                    .bind("erasure", erasure.id())
                    .execute();
            return true;
        });
    }

    private static void add(Handle handle, Erasure erasure, Actor actor, UUID from, UUID to) {
        handle.createUpdate(ADD + """
                        from threads p
                        where p.thread_id > :from and p.thread_id <= :to and p.deleted_at is null and (
                            exists (select 1 from participants q where q.thread_id = p.thread_id and q.actor = :actor)
                            or exists (
                                select 1 from entries e where e.thread_id = p.thread_id and e.author = :actor))
                        on conflict do nothing""")
                .bind("erasure", erasure.id())
                .bind("actor", actor.value())
                .bind("person", actor.kind() != Actor.Kind.AGENT)
                .bind("from", from)
                .bind("to", to)
                .execute();
    }

    /** Adds the threads that the person has joined since all threads were checked; false if there are none. */
    boolean addNew(Erasure erasure, Actor actor) {
        return database.transact(handle -> handle.createUpdate(ADD + """
                        from participants p join threads t using (thread_id)
                        where p.actor = :actor and t.deleted_at is null and not exists (
                            select 1 from erasure_threads w
                            where w.erasure_id = :erasure and w.thread_id = p.thread_id)
                        on conflict do nothing""")
                        .bind("erasure", erasure.id())
                        .bind("actor", actor.value())
                        .bind("person", actor.kind() != Actor.Kind.AGENT)
                        .execute()
                > 0);
    }

    /** Reopens finished threads in which the person has written further messages; false if there are none. */
    boolean reopen(Erasure erasure, Actor actor) {
        return database.transact(handle -> handle.createUpdate("""
                        update erasure_threads w set done_at = null
                        where w.erasure_id = :erasure and w.done_at is not null and exists (
                            select 1 from entries e
                            where e.thread_id = w.thread_id and e.seq > w.entries_to and e.author = :actor
                                and e.erased_at is null and e.created_at < coalesce(:before::timestamptz, 'infinity'))""")
                        .bind("erasure", erasure.id())
                        .bind("actor", actor.value())
                        .bind("before", ErasureStore.atUtc(erasure.before()))
                        .execute()
                > 0);
    }
}
