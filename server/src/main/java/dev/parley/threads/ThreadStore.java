package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Sources;
import dev.parley.log.Heads;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The SQL of threads and participants. */
final class ThreadStore {
    private static final ListCursor BEGINNING =
            new ListCursor(Instant.parse("9999-01-01T00:00:00Z"), new ThreadId(new UUID(-1, -1)));

    private ThreadStore() {}

    /** Creates a thread, or returns the id of the thread that already exists for the same set of participants. */
    static ThreadId insert(Handle handle, NewThreadRow thread, List<NewMemberRow> members) {
        OffsetDateTime now = thread.createdAt().atOffset(ZoneOffset.UTC);
        Optional<UUID> created = handle.createQuery("""
                        insert into threads
                            (thread_id, thread_type, title, participation_mode, created_by, created_at, reuse_key, source)
                        values (:id, :type, :title, :mode, :by, :now, :reuse, :source)
                        on conflict do nothing
                        returning thread_id""")
                .bind("id", thread.id().value())
                .bind("type", thread.type())
                .bind("title", thread.title())
                .bind("mode", thread.participationMode())
                .bind("by", thread.createdBy().value())
                .bind("now", now)
                .bind("source", thread.source())
                .bind(
                        "reuse",
                        thread.reuseKey() == null ? null : thread.reuseKey().bytes())
                .mapTo(UUID.class)
                .findOne();
        if (created.isEmpty() && thread.reuseKey() == null) {
            // A client chose the id and another request was faster; the caller's access is checked later.
            return thread.id();
        }
        if (created.isEmpty()) {
            return handle.createQuery("select thread_id from threads where reuse_key = :reuse")
                    .bind(
                            "reuse",
                            thread.reuseKey() == null ? null : thread.reuseKey().bytes())
                    .mapTo(UUID.class)
                    .findOne()
                    .map(ThreadId::new)
                    // The participants of that thread changed between the two statements, so the thread no longer
                    // belongs to this set.
                    .orElseGet(() -> insert(handle, thread, members));
        }
        Heads.insert(handle, thread.id(), thread.createdAt());
        handle.createUpdate("""
                        insert into thread_activity (thread_id, last_seq, updated_at) values (:id, 0, :now)""")
                .bind("id", thread.id().value())
                .bind("now", now)
                .execute();
        var batch = handle.prepareBatch("""
                with member as (
                    insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                    values (:id, :actor, :name, :capabilities, :now)),
                mark as (
                    insert into read_marks (thread_id, actor, last_read_seq) values (:id, :actor, 0))
                insert into listings (thread_id, actor, active_at) values (:id, :actor, :now)""");
        for (NewMemberRow member : members) {
            batch.bind("id", thread.id().value())
                    .bind("actor", member.actor().value())
                    .bind("name", member.displayName())
                    .bind("capabilities", member.capabilities())
                    .bind("now", now)
                    .add();
        }
        batch.execute();
        if (thread.source() != null) {
            handle.createUpdate("insert into listings (thread_id, actor, active_at) values (:id, :actor, :now)")
                    .bind("id", thread.id().value())
                    .bind("actor", Sources.integration(thread.source()).value())
                    .bind("now", now)
                    .execute();
        }
        return thread.id();
    }

    /** The actor's capabilities in the thread as bits; empty if there is no such thread or the actor is not in it. */
    static OptionalInt capabilities(Handle handle, ThreadId thread, Actor actor) {
        Optional<Integer> bits = handle.createQuery(
                        "select capabilities from participants where thread_id = :id and actor = :actor")
                .bind("id", thread.value())
                .bind("actor", actor.value())
                .mapTo(Integer.class)
                .findOne();
        return bits.isPresent() ? OptionalInt.of(bits.get()) : OptionalInt.empty();
    }

    /** True if an id belongs to a thread, existing or deleted. */
    static boolean isTaken(Handle handle, ThreadId thread) {
        return handle.createQuery("select exists (select 1 from threads where thread_id = :id)")
                .bind("id", thread.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** The source of a thread; empty for a thread that no integration created. */
    static Optional<String> source(Handle handle, ThreadId thread) {
        return handle.createQuery(
                        "select source from threads where thread_id = :id and source is not null and deleted_at is null")
                .bind("id", thread.value())
                .mapTo(String.class)
                .findOne();
    }

    /** A position in a list of threads, ordered by last activity. */
    record ListCursor(Instant activeAt, ThreadId thread) {}

    /** A thread in a list; {@code matches} is false if its title lacks the words. */
    record Listed(ListCursor place, boolean matches) {}

    /**
     * A request for a part of a list.
     *
     * @param rows the number of rows to search
     */
    record ListQuery(
            @Nullable ListCursor after,
            boolean archived,
            @Nullable String words,
            int rows) {}

    /**
     * An actor's threads after a cursor, the most active first. The query reads one range of an index, whatever the
     * threads contain.
     */
    static List<Listed> page(Handle handle, Actor actor, ListQuery query) {
        ListCursor after = query.after() == null ? BEGINNING : query.after();
        return handle.createQuery("""
                        select l.thread_id, l.active_at, :words::text is null or t.title ilike :words as matches
                        from (
                            select * from listings
                            where actor = :actor and is_archived = :archived and (active_at, thread_id) < (:at, :thread)
                            order by active_at desc, thread_id desc limit :rows) as l
                        join threads t using (thread_id)
                        order by l.active_at desc, l.thread_id desc""")
                .bind("actor", actor.value())
                .bind("archived", query.archived())
                .bind("at", after.activeAt().atOffset(ZoneOffset.UTC))
                .bind("thread", after.thread().value())
                .bind("words", query.words())
                .bind("rows", query.rows())
                .map((row, context) -> new Listed(
                        new ListCursor(
                                row.getObject("active_at", OffsetDateTime.class).toInstant(),
                                new ThreadId(row.getObject("thread_id", UUID.class))),
                        row.getBoolean("matches")))
                .list();
    }

    /**
     * The threads as an actor sees them, in the order of the ids; threads that the actor is not in are left out.
     *
     * @param source the source of an integration, which sees the source's threads without being a participant; null for
     *     other actors
     */
    static List<ThreadSnapshot> find(
            Handle handle, Collection<ThreadId> threads, Actor actor, @Nullable String source) {
        List<UUID> ids = threads.stream().map(ThreadId::value).toList();
        Map<ThreadId, List<ThreadSnapshot.Member>> members = members(handle, ids);
        return bound(ids, handle.createQuery("""
                        select t.thread_id, t.thread_type, t.title, t.is_archived, t.participation_mode, t.created_at,
                            h.last_seq, a.last_message_at, a.last_message_preview, last.*, %s as unread
                        from %s as wanted (thread_id, place)
                        left join participants me on me.thread_id = wanted.thread_id and me.actor = :actor
                        left join read_marks mark on mark.thread_id = me.thread_id and mark.actor = me.actor
                        join threads t on t.thread_id = wanted.thread_id
                        join thread_heads h on h.thread_id = wanted.thread_id
                        left join thread_activity a on a.thread_id = wanted.thread_id
                        %s
                        where t.deleted_at is null and (me.actor is not null or t.source = :source::text)
                        order by wanted.place""".formatted(
                                UnreadCount.sql("me", "mark"),
                                ids.size() == 1 ? "(values (:id::uuid, 1))" : "unnest(:ids::uuid[]) with ordinality",
                                // Activity is written after the log. Most rows are up to date, and the last message of
                                // other threads is read from the log.
                                LastMessageQuery.join("h", "h.last_seq > a.last_seq"))))
                .bind("actor", actor.value())
                .bind("source", source)
                .map((row, context) -> {
                    ThreadId id = new ThreadId(row.getObject("thread_id", UUID.class));
                    return new ThreadSnapshot(
                            id,
                            row.getString("thread_type"),
                            row.getString("title"),
                            row.getBoolean("is_archived"),
                            row.getString("participation_mode"),
                            row.getObject("created_at", OffsetDateTime.class).toInstant(),
                            members.getOrDefault(id, List.of()),
                            row.getLong("last_seq"),
                            lastMessage(row),
                            row.getInt("unread"));
                })
                .list();
    }

    private static ThreadSnapshot.@Nullable LastMessage lastMessage(ResultSet row) throws SQLException {
        ThreadSnapshot.LastMessage newer = LastMessageQuery.read(row);
        OffsetDateTime at = row.getObject("last_message_at", OffsetDateTime.class);
        return newer != null || at == null
                ? newer
                : new ThreadSnapshot.LastMessage(at.toInstant(), row.getString("last_message_preview"));
    }

    /** The participants of a thread, as a participant sees them; empty for an actor outside the thread. */
    static List<ThreadSnapshot.Member> roster(Handle handle, ThreadId thread, Actor actor) {
        List<ThreadSnapshot.Member> members =
                members(handle, List.of(thread.value())).getOrDefault(thread, List.of());
        return members.stream().anyMatch(member -> member.actor().equals(actor)) ? members : List.of();
    }

    /**
     * The members of threads that are not deleted. Java code checks the deletion, and the query probes read marks one
     * by one. With a condition on the deletion, or with a join of the read marks, PostgreSQL would scan these tables
     * while they are new.
     */
    private static Map<ThreadId, List<ThreadSnapshot.Member>> members(Handle handle, List<UUID> ids) {
        return bound(ids, handle.createQuery("""
                        select p.thread_id, p.actor,
                            coalesce(known.display_name, agent.display_name, p.display_name) as display_name,
                            p.capabilities, p.participation_mode, mark.last_read_seq, t.deleted_at is null as there
                        from participants p
                        join threads t using (thread_id)
                        left join known_names known on known.actor = p.actor
                        left join agents agent on agent.agent_id =
                            case when p.actor like 'agent:%%' then substr(p.actor, length('agent:') + 1)::uuid end
                        cross join lateral (
                            select m.last_read_seq from read_marks m
                            where m.thread_id = p.thread_id and m.actor = p.actor limit 1) as mark
                        where p.thread_id %s
                        order by p.joined_at, p.actor <> t.created_by, p.actor""".formatted(ids.size() == 1 ? "= :id" : "= any (:ids)")))
                .map((row, context) -> MemberRow.read(row))
                .stream()
                .filter(MemberRow::alive)
                .collect(Collectors.groupingBy(
                        MemberRow::thread, HashMap::new, Collectors.mapping(MemberRow::member, Collectors.toList())));
    }

    /**
     * Binds a single id as a scalar. PostgreSQL keeps no plan for lists, because it expects lists to be longer than
     * most of them are.
     */
    private static Query bound(List<UUID> ids, Query query) {
        return ids.size() == 1 ? query.bind("id", ids.getFirst()) : query.bindArray("ids", UUID.class, ids.toArray());
    }

    /** A member of a thread, which may be deleted. */
    private record MemberRow(ThreadId thread, boolean alive, ThreadSnapshot.Member member) {
        static MemberRow read(ResultSet row) throws SQLException {
            return new MemberRow(
                    new ThreadId(row.getObject("thread_id", UUID.class)),
                    row.getBoolean("there"),
                    new ThreadSnapshot.Member(
                            new Actor(row.getString("actor")),
                            row.getString("display_name"),
                            Capability.fromBits(row.getInt("capabilities")),
                            row.getString("participation_mode"),
                            row.getLong("last_read_seq")));
        }
    }

    /** Moves an actor's read mark forward, never beyond the last entry; returns the new mark. */
    static Optional<Long> markRead(Handle handle, ThreadId thread, Actor actor, long seq) {
        return handle.createQuery("""
                        update read_marks m
                        set last_read_seq = greatest(m.last_read_seq, least(:seq, h.last_seq))
                        from thread_heads h
                        where m.thread_id = :id and m.actor = :actor and h.thread_id = m.thread_id
                        returning m.last_read_seq""")
                .bind("id", thread.value())
                .bind("actor", actor.value())
                .bind("seq", seq)
                .mapTo(Long.class)
                .findOne();
    }

    static Set<ThreadAccess.Membership> stillReadable(Handle handle, Set<ThreadAccess.Membership> candidates) {
        List<ThreadAccess.Membership> memberships = List.copyOf(candidates);
        return handle.createQuery("""
                        select p.thread_id, p.actor
                        from unnest(:threads::uuid[], :actors::text[]) as wanted (thread_id, actor)
                        cross join lateral (
                            select * from participants p
                            where p.thread_id = wanted.thread_id and p.actor = wanted.actor limit 1) as p
                        where p.capabilities & 1 = 1
                        union all
                        select t.thread_id, wanted.actor
                        from unnest(:threads::uuid[], :actors::text[]) as wanted (thread_id, actor)
                        join threads t on t.thread_id = wanted.thread_id
                        where wanted.actor = 'integration:' || t.source and t.deleted_at is null""")
                .bindArray(
                        "threads",
                        UUID.class,
                        memberships.stream()
                                .map(membership -> membership.thread().value())
                                .toArray())
                .bindArray(
                        "actors",
                        String.class,
                        memberships.stream()
                                .map(membership -> membership.actor().value())
                                .toArray())
                .map((row, context) -> new ThreadAccess.Membership(
                        new ThreadId(row.getObject("thread_id", UUID.class)), new Actor(row.getString("actor"))))
                .set();
    }

    /** True if a thread exists and was not deleted. */
    static boolean isAlive(Handle handle, ThreadId thread) {
        return handle.createQuery("select 1 from threads where thread_id = :thread and deleted_at is null")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** Checks like {@link #isAlive}, and makes an erasure in the thread wait until this transaction ends. */
    static boolean isAliveUntilDone(Handle handle, ThreadId thread) {
        return handle.createQuery(
                        "select 1 from threads where thread_id = :thread and deleted_at is null for key share")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }
}
