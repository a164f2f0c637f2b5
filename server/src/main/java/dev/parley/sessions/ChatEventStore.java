package dev.parley.sessions;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads chat events. */
final class ChatEventStore {
    private final Database database;

    ChatEventStore(Database database) {
        this.database = database;
    }

    /** The fingerprints of known messages, by their ids. */
    Map<String, Digest> fingerprints(ThreadId thread, Collection<String> messageIds) {
        Map<String, Digest> found = new HashMap<>();
        database.read(handle -> handle.createQuery("""
                        select message_id, fingerprint from chat_events
                        where thread_id = :thread and message_id = any (:ids)""")
                .bind("thread", thread.value())
                .bindArray("ids", String.class, messageIds)
                .map((row, context) -> found.put(row.getString("message_id"), Digest.of(row.getBytes("fingerprint"))))
                .list());
        return found;
    }

    /** Chat events by their client's message ids. */
    Map<String, ChatEventRow.Stored> byMessage(ThreadId thread, Collection<String> messageIds) {
        return database
                .read(handle -> handle.createQuery("""
                        select * from chat_events where thread_id = :thread and message_id = any (:ids)""")
                        .bind("thread", thread.value())
                        .bindArray("ids", String.class, messageIds)
                        .map((row, context) -> read(row))
                        .list())
                .stream()
                .collect(Collectors.toMap(stored -> stored.row().messageId(), stored -> stored));
    }

    /**
     * The chat events of the entries, in the order of the entries. Several chat events of one entry are in the order of
     * their arrival.
     */
    Map<Long, List<ChatEventRow.Stored>> bySeq(ThreadId thread, Collection<Long> seqs) {
        return database
                .read(handle -> handle.createQuery("""
                        select * from chat_events where thread_id = :thread and seq = any (:seqs) order by seq, number""")
                        .bind("thread", thread.value())
                        .bindArray("seqs", Long.class, seqs)
                        .map((row, context) -> read(row))
                        .list())
                .stream()
                .collect(Collectors.groupingBy(ChatEventRow.Stored::seq));
    }

    /** The total size, in bytes, of the client texts that are stored beside the entries. */
    long bytes(ThreadId thread, Collection<Long> seqs) {
        return database.read(handle -> handle.createQuery("""
                        select coalesce(sum(octet_length(message_data::text)), 0) from chat_events
                        where thread_id = :thread and seq = any (:seqs)""")
                .bind("thread", thread.value())
                .bindArray("seqs", Long.class, seqs)
                .mapTo(Long.class)
                .one());
    }

    /** The seqs of those entries of the runs that a chat event of another entry represents. */
    Set<Long> covered(ThreadId thread, Collection<String> runs) {
        return runs.isEmpty()
                ? Set.of()
                : new HashSet<>(database.read(handle -> handle.createQuery("""
                                select unnest(covers) from chat_events
                                where thread_id = :thread and run_id = any (:runs) and covers is not null""")
                        .bind("thread", thread.value())
                        .bindArray("runs", String.class, runs)
                        .mapTo(Long.class)
                        .list()));
    }

    /** The session's record of each run. */
    Map<String, NewChatEvent.Wrapper> runs(ThreadId thread, Collection<String> wanted) {
        Map<String, NewChatEvent.Wrapper> runs = new HashMap<>();
        if (!wanted.isEmpty()) {
            database.read(handle -> handle.createQuery("""
                            select * from session_runs where thread_id = :thread and run_id = any (:runs)""")
                    .bind("thread", thread.value())
                    .bindArray("runs", String.class, wanted)
                    .map((row, context) -> runs.put(
                            row.getString("run_id"),
                            new NewChatEvent.Wrapper(
                                    row.getString("agent_id"),
                                    row.getString("agent_name"),
                                    row.getString("team_name"),
                                    null,
                                    row.getString("run_id"),
                                    row.getString("parent_run_id"),
                                    row.getString("model"),
                                    row.getString("model_provider"))))
                    .list());
        }
        return runs;
    }

    /** The seqs, out of the given seqs, of entries that have a chat event. */
    Set<Long> taken(ThreadId thread, Collection<Long> seqs) {
        return new HashSet<>(database.read(handle -> handle.createQuery(
                        "select distinct seq from chat_events where thread_id = :thread and seq = any (:seqs)")
                .bind("thread", thread.value())
                .bindArray("seqs", Long.class, seqs)
                .mapTo(Long.class)
                .list()));
    }

    /**
     * The seqs of an agent's next messages between two positions of a thread. The messages of a run are between the
     * positions of its first and last event.
     */
    List<Long> messagesBetween(ThreadId thread, Actor agent, long first, long last, long afterSeq, int limit) {
        return database.read(handle -> handle.createQuery("""
                        select seq from entries
                        where thread_id = :thread and kind = 0 and author = :agent and seq > greatest(:after, coalesce((
                                select seq from events where thread_id = :thread and position < :first
                                order by position desc limit 1), 0))
                            and seq <= (
                                select seq from events where thread_id = :thread and position <= :last
                                order by position desc limit 1)
                        order by seq limit :limit""")
                .bind("thread", thread.value())
                .bind("agent", agent.value())
                .bind("first", first)
                .bind("last", last)
                .bind("after", afterSeq)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list());
    }

    private static ChatEventRow.Stored read(ResultSet row) throws SQLException {
        return new ChatEventRow.Stored(
                new ChatEventRow(
                        row.getObject("event_id", UUID.class),
                        null,
                        row.getString("message_id"),
                        row.getString("role"),
                        new NewChatEvent.Wrapper(
                                row.getString("agent_id"),
                                row.getString("agent_name"),
                                row.getString("team_name"),
                                row.getString("user_id"),
                                row.getString("run_id"),
                                row.getString("parent_run_id"),
                                null,
                                null),
                        row.getString("message_data"),
                        media(row.getString("media")),
                        Digest.of(row.getBytes("fingerprint")),
                        new MessageUsage(
                                row.getObject("input_tokens", Long.class),
                                row.getObject("output_tokens", Long.class),
                                row.getString("usage"),
                                row.getBigDecimal("cost"),
                                row.getString("cost_currency"))),
                row.getLong("seq"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    private static List<Medium> media(@Nullable String json) {
        return json == null ? List.of() : List.of(Json.MAPPER.readValue(json, Medium[].class));
    }
}
