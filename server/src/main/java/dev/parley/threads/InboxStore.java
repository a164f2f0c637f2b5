package dev.parley.threads;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The SQL of the inbox: the threads that were active, and their rows for the actors who follow their inbox. */
final class InboxStore {
    private static final int PAGE = 10_000;
    /** The maximum number of entries in which one hint looks for a message to answer. */
    private static final int MAX_NEWS = 200;

    private InboxStore() {}

    static Instant now(Handle handle) {
        return handle.createQuery("select clock_timestamp()")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant();
    }

    /** A page of the threads that were active after a position, in the order of their activity. */
    static List<ActivePlace> activeAfter(Handle handle, ActivePlace cursor) {
        return handle.createQuery("""
                        select updated_at, thread_id from thread_activity
                        where (updated_at, thread_id) > (:at, :thread)
                        order by updated_at, thread_id limit :limit""")
                .bind("at", cursor.at().atOffset(ZoneOffset.UTC))
                .bind("thread", cursor.thread().value())
                .bind("limit", PAGE)
                .map((row, context) -> new ActivePlace(
                        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                        new ThreadId(row.getObject("thread_id", UUID.class))))
                .list();
    }

    /**
     * The rows of the given actors in the given threads, one per participant. If the first new entry of a thread is
     * unknown, the new entries begin after the reader's mark.
     */
    static List<InboxRow> rows(Handle handle, List<ThreadNews> news, Collection<Actor> actors) {
        return handle.createQuery("""
                        select p.thread_id, p.actor, h.last_seq, %s as unread, news.engagement
                        from unnest(:threads::uuid[], :since::bigint[]) as wanted (thread_id, since)
                        join participants p on p.thread_id = wanted.thread_id
                        join read_marks mark on mark.thread_id = p.thread_id and mark.actor = p.actor
                        join thread_heads h on h.thread_id = p.thread_id
                        cross join lateral (
                            select array_agg(engagement::text) as engagement from (
                                select e.kind, e.engagement from entries e
                                where e.thread_id = p.thread_id
                                    and e.seq >= coalesce(wanted.since, mark.last_read_seq + 1)
                                order by e.seq desc limit %d) as recent
                            where kind = 0 and engagement is not null) as news
                        where p.actor = any (:actors)""".formatted(UnreadCount.sql("p", "mark"), MAX_NEWS))
                .bindArray(
                        "threads",
                        UUID.class,
                        news.stream().map(each -> each.thread().value()).toArray())
                .bindArray(
                        "since",
                        Long.class,
                        news.stream().map(ThreadNews::since).toArray())
                .bindArray(
                        "actors",
                        String.class,
                        actors.stream().map(Actor::value).toArray())
                .map((row, context) -> new InboxRow(
                        new Actor(row.getString("actor")),
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getLong("last_seq"),
                        row.getInt("unread"),
                        shouldRespond(row.getArray("engagement"), new Actor(row.getString("actor")))))
                .list();
    }

    /** True if the viewer should answer at least one of the messages, because one hint stands for all of them. */
    private static @Nullable Boolean shouldRespond(@Nullable Array engagements, Actor viewer) throws SQLException {
        List<Engagement> decided = new ArrayList<>();
        if (engagements != null) {
            for (String each : (String[]) engagements.getArray()) {
                decided.addAll(List.of(Json.MAPPER.readValue(each, Engagement[].class)));
            }
        }
        return Engagements.shouldRespond(decided, viewer);
    }
}
