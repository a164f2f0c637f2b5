package dev.parley.threads;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The SQL of threads and participants. */
final class ThreadStore {
    private static final int PREVIEW_CHARACTERS = 140;
    private static final int UNREAD_CAP = 100;

    private ThreadStore() {}

    static void insert(Handle handle, NewThreadRow thread, List<NewMemberRow> members) {
        OffsetDateTime now = thread.createdAt().atOffset(ZoneOffset.UTC);
        handle.createUpdate("""
                        insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)
                        values (:id, :type, :title, :mode, :by, :now)""")
                .bind("id", thread.id().value())
                .bind("type", thread.type())
                .bind("title", thread.title())
                .bind("mode", thread.participationMode())
                .bind("by", thread.createdBy().value())
                .bind("now", now)
                .execute();
        handle.createUpdate("""
                        insert into thread_heads (thread_id, last_created_at, head_hash)
                        values (:id, :now, :hash)""")
                .bind("id", thread.id().value())
                .bind("now", now)
                .bind("hash", Digest.ZERO.bytes())
                .execute();
        var batch = handle.prepareBatch("""
                insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                values (:id, :actor, :name, :capabilities, :now)""");
        for (NewMemberRow member : members) {
            batch.bind("id", thread.id().value())
                    .bind("actor", member.actor().value())
                    .bind("name", member.displayName())
                    .bind("capabilities", member.capabilities())
                    .bind("now", now)
                    .add();
        }
        batch.execute();
    }

    /** What the actor may do in the thread; empty if there is no such thread or the actor is not in it. */
    static OptionalInt capabilities(Handle handle, ThreadId thread, Actor actor) {
        Optional<Integer> bits = handle.createQuery(
                        "select capabilities from participants where thread_id = :id and actor = :actor")
                .bind("id", thread.value())
                .bind("actor", actor.value())
                .mapTo(Integer.class)
                .findOne();
        return bits.isPresent() ? OptionalInt.of(bits.get()) : OptionalInt.empty();
    }

    static Optional<ThreadSnapshot> find(Handle handle, ThreadId thread, Actor actor) {
        List<ThreadSnapshot.Member> members = members(handle, thread);
        return handle.createQuery("""
                        select t.thread_type, t.title, t.is_archived, t.participation_mode, t.created_at, h.last_seq,
                            last.created_at as last_at, left(last.content, %d) as preview,
                            (select count(*) from (
                                select 1 from entries e
                                where e.thread_id = t.thread_id and e.seq > me.last_read_seq and e.author <> me.actor
                                limit %d) as others) as unread
                        from participants me
                        join threads t using (thread_id)
                        join thread_heads h using (thread_id)
                        left join lateral (
                            select e.created_at, e.content from entries e
                            where e.thread_id = t.thread_id order by e.seq desc limit 1) as last on true
                        where me.thread_id = :id and me.actor = :actor""".formatted(PREVIEW_CHARACTERS, UNREAD_CAP))
                .bind("id", thread.value())
                .bind("actor", actor.value())
                .map((row, context) -> new ThreadSnapshot(
                        thread,
                        row.getString("thread_type"),
                        row.getString("title"),
                        row.getBoolean("is_archived"),
                        row.getString("participation_mode"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        members,
                        row.getLong("last_seq"),
                        lastMessage(row.getObject("last_at", OffsetDateTime.class), row.getString("preview")),
                        row.getInt("unread")))
                .findOne();
    }

    private static ThreadSnapshot.@Nullable LastMessage lastMessage(
            @Nullable OffsetDateTime at, @Nullable String preview) {
        return at == null || preview == null ? null : new ThreadSnapshot.LastMessage(at.toInstant(), preview);
    }

    private static List<ThreadSnapshot.Member> members(Handle handle, ThreadId thread) {
        return handle.createQuery("""
                        select p.actor, p.display_name, p.capabilities, p.participation_mode, p.last_read_seq
                        from participants p join threads t using (thread_id)
                        where p.thread_id = :id order by p.joined_at, p.actor <> t.created_by, p.actor""")
                .bind("id", thread.value())
                .map((row, context) -> new ThreadSnapshot.Member(
                        new Actor(row.getString("actor")),
                        row.getString("display_name"),
                        Capability.fromBits(row.getInt("capabilities")),
                        row.getString("participation_mode"),
                        row.getLong("last_read_seq")))
                .list();
    }
}
