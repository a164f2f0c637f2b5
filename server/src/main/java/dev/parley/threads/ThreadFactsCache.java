package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The facts of threads, read once per change instead of once per message. Cached facts were read under the lock of the
 * thread's head and are used under it again, with the same number in it. So they are never outdated, on any node.
 */
public final class ThreadFactsCache {
    private static final long MAX_MEMBERS = 500_000;

    private final Cache<ThreadId, NumberedFacts> cache = Caffeine.newBuilder()
            .maximumWeight(MAX_MEMBERS)
            .weigher((ThreadId thread, NumberedFacts facts) ->
                    1 + facts.facts().members().size())
            .build();

    /** Facts, and the head's number for which they hold. */
    private record NumberedFacts(long number, ThreadFacts facts) {}

    /** The facts of these threads, whose heads the caller has locked on this connection. */
    public Map<ThreadId, ThreadFacts> read(Connection connection, Collection<Head> heads) throws SQLException {
        Map<ThreadId, ThreadFacts> found = new HashMap<>(heads.size() * 2);
        List<Head> unknown = new ArrayList<>();
        for (Head head : heads) {
            NumberedFacts facts = cache.getIfPresent(head.thread());
            if (facts != null && facts.number() == head.facts()) {
                found.put(head.thread(), facts.facts());
            } else {
                unknown.add(head);
            }
        }
        if (!unknown.isEmpty()) {
            Map<ThreadId, ThreadFacts> fresh = query(connection, unknown);
            for (Head head : unknown) {
                ThreadFacts facts = fresh.getOrDefault(head.thread(), ThreadFacts.NONE);
                cache.put(head.thread(), new NumberedFacts(head.facts(), facts));
                found.put(head.thread(), facts);
            }
        }
        return found;
    }

    /** Tells all nodes that the facts about a participant have changed, by the heads of the participant's threads. */
    public static void outdate(Handle handle, Actor member) {
        // In the order of the ids, as lanes lock them.
        handle.createUpdate("""
                        update thread_heads set facts = facts + 1 where thread_id = any (array(
                            select h.thread_id from thread_heads h
                            where h.thread_id in (select thread_id from participants where actor = :actor)
                            order by h.thread_id for no key update))""").bind("actor", member.value()).execute();
    }

    private static Map<ThreadId, ThreadFacts> query(Connection connection, List<Head> heads) throws SQLException {
        // Laterals with limits, so that tables that were never analysed are not scanned.
        String sql = """
                select t.thread_id, t.is_archived, t.participation_mode, t.title is null as untitled, t.source,
                    p.actor, p.capabilities, p.participation_mode as own_mode, p.actor not like 'agent:%' or coalesce(a.is_active, false) as active,
                    coalesce(a.kind <> 'external', false) as executed
                from unnest(?::uuid[]) as wanted (thread_id)
                cross join lateral (
                    select * from threads where thread_id = wanted.thread_id and deleted_at is null limit 1) as t
                cross join lateral (
                    select * from participants where thread_id = wanted.thread_id limit 10000) as p
                left join lateral (
                    select is_active, kind from agents
                    where p.actor like 'agent:%' and agent_id = substr(p.actor, 7)::uuid limit 1) as a on true""";
        Map<ThreadId, ThreadFacts> found = new HashMap<>();
        Map<ThreadId, Map<Actor, ThreadFacts.Member>> members = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(heads, head -> head.thread().value());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ThreadId thread = new ThreadId(row.getObject("thread_id", UUID.class));
                    members.computeIfAbsent(thread, each -> new HashMap<>())
                            .put(
                                    new Actor(row.getString("actor")),
                                    new ThreadFacts.Member(
                                            row.getInt("capabilities"),
                                            mode(row.getString("own_mode")),
                                            row.getBoolean("active"),
                                            row.getBoolean("executed")));
                    if (!found.containsKey(thread)) {
                        found.put(
                                thread,
                                new ThreadFacts(
                                        row.getBoolean("is_archived"),
                                        Objects.requireNonNull(mode(row.getString("participation_mode"))),
                                        row.getBoolean("untitled"),
                                        row.getString("source"),
                                        Map.of()));
                    }
                }
            }
        }
        found.replaceAll((thread, facts) -> new ThreadFacts(
                facts.archived(),
                facts.mode(),
                facts.untitled(),
                facts.source(),
                members.getOrDefault(thread, Map.of())));
        return found;
    }

    private static @Nullable ParticipationMode mode(@Nullable String wire) {
        return wire == null ? null : ParticipationMode.require(wire);
    }
}
