package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.FactSource;
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
 * The facts of threads, read once per change instead of once per message. The head of a thread counts the changes to
 * the thread's facts, and facts are cached with this number of changes. A decision uses cached facts only for a head
 * with the same number, so the facts are never outdated, on any node.
 */
public final class ThreadFactsCache {
    private static final long MAX_MEMBERS = 500_000;

    private final Cache<ThreadId, NumberedFacts> cache = Caffeine.newBuilder()
            .maximumWeight(MAX_MEMBERS)
            .weigher((ThreadId thread, NumberedFacts facts) ->
                    1 + facts.facts().members().size())
            .build();

    /** The facts of a thread, and the number of changes in the thread's head for which the facts are valid. */
    private record NumberedFacts(long number, ThreadFacts facts) {}

    /** The facts of these threads, whose heads the caller has locked or remembers. */
    public Map<ThreadId, ThreadFacts> read(FactSource source, Collection<Head> heads) throws SQLException {
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
            Map<ThreadId, ThreadFacts> fresh = query(source.connection(), unknown);
            for (Head head : unknown) {
                ThreadFacts facts = fresh.getOrDefault(head.thread(), ThreadFacts.NONE);
                cache.put(head.thread(), new NumberedFacts(head.facts(), facts));
                found.put(head.thread(), facts);
            }
        }
        return found;
    }

    /** False if no webhook receives the thread's events, as far as this node knows. */
    public boolean mayHaveWebhooks(ThreadId thread) {
        NumberedFacts facts = cache.getIfPresent(thread);
        return facts == null || facts.facts().webhooks();
    }

    /** Tells all nodes, through the thread's head, that the facts of a thread have changed. */
    public static void outdate(Handle handle, ThreadId thread) {
        handle.createUpdate("update thread_heads set facts = facts + 1 where thread_id = :thread")
                .bind("thread", thread.value())
                .execute();
    }

    /**
     * Tells all nodes, through the heads of a participant's threads, that the facts about the participant have changed.
     */
    public static void outdate(Handle handle, Actor member) {
        // The heads are locked in the order of their ids, as lanes lock them.
        handle.createUpdate("""
                        update thread_heads set facts = facts + 1 where thread_id = any (array(
                            select h.thread_id from thread_heads h
                            where h.thread_id in (select thread_id from participants where actor = :actor)
                            order by h.thread_id for no key update))""").bind("actor", member.value()).execute();
    }

    private static Map<ThreadId, ThreadFacts> query(Connection connection, List<Head> heads) throws SQLException {
        // Laterals with limits keep PostgreSQL from scanning tables that were never analysed.
        String sql = """
                select t.thread_id, t.is_archived, t.participation_mode, t.title is null as untitled, t.source,
                    exists (select 1 from webhooks w where w.thread_id = t.thread_id) as webhooks,
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
                                        row.getBoolean("webhooks"),
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
                facts.webhooks(),
                members.getOrDefault(thread, Map.of())));
        return found;
    }

    private static @Nullable ParticipationMode mode(@Nullable String wire) {
        return wire == null ? null : ParticipationMode.require(wire);
    }
}
