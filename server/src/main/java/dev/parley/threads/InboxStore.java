package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The SQL of the inbox: which threads were active, and what they look like to those who follow their inbox. */
final class InboxStore {
    private static final int PAGE = 10_000;

    private InboxStore() {}

    static Instant now(Handle handle) {
        return handle.createQuery("select clock_timestamp()")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant();
    }

    /** A page of the threads that were active after a place, in the order of their activity. */
    static List<ActivePlace> activeAfter(Handle handle, ActivePlace place) {
        return handle.createQuery("""
                        select updated_at, thread_id from thread_activity
                        where (updated_at, thread_id) > (:at, :thread)
                        order by updated_at, thread_id limit :limit""")
                .bind("at", place.at().atOffset(ZoneOffset.UTC))
                .bind("thread", place.thread().value())
                .bind("limit", PAGE)
                .map((row, context) -> new ActivePlace(
                        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                        new ThreadId(row.getObject("thread_id", UUID.class))))
                .list();
    }

    /** What the given actors find for the given threads; as many rows as there are such participants. */
    static List<InboxRow> rows(Handle handle, Collection<ThreadId> threads, Collection<Actor> actors) {
        return handle.createQuery("""
                        select p.thread_id, p.actor, h.last_seq, %s as unread, last.engagement
                        from participants p
                        join read_marks mark on mark.thread_id = p.thread_id and mark.actor = p.actor
                        join thread_heads h on h.thread_id = p.thread_id
                        left join lateral (
                            select e.engagement from entries e
                            where e.thread_id = p.thread_id and e.kind = 0 order by e.seq desc limit 1) as last on true
                        where p.thread_id = any (:threads) and p.actor = any (:actors)""".formatted(UnreadCount.sql("p", "mark")))
                .bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray())
                .bindArray(
                        "actors",
                        String.class,
                        actors.stream().map(Actor::value).toArray())
                .map((row, context) -> new InboxRow(
                        new Actor(row.getString("actor")),
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getLong("last_seq"),
                        row.getInt("unread"),
                        InboxRow.shouldRespond(row.getString("engagement"), row.getString("actor"))))
                .list();
    }
}
