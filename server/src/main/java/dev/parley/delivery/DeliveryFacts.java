package dev.parley.delivery;

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
import java.util.UUID;

/**
 * Reads facts about destinations for lanes: the routes of threads, and sent messages, with one index probe for each.
 */
final class DeliveryFacts {
    /** Limit of a thread's destinations. A thread has one destination, unless an integration requests more. */
    private static final int MAX_DESTINATIONS = 20;

    private DeliveryFacts() {}

    /** A destination of a thread's answers. */
    record Route(UUID destination, String source) {}

    /** A message that a command revises. */
    record MessageRef(ThreadId thread, long seq) {}

    /** A message at a destination, with the number of its parts. */
    record Sent(UUID destination, String source, String messageId, int parts) {}

    /**
     * The facts for a batch.
     *
     * @param sent the sent messages that the batch revises
     */
    record BatchFacts(Map<ThreadId, List<Route>> routes, Map<MessageRef, List<Sent>> sent) {
        static final BatchFacts NOTHING = new BatchFacts(Map.of(), Map.of());
    }

    static Map<ThreadId, List<Route>> routes(
            Connection connection, Collection<ThreadId> threads, Collection<String> sources) throws SQLException {
        String sql = """
                select wanted.thread_id, found.destination_id, found.source
                from unnest(?::uuid[]) as wanted (thread_id)
                cross join lateral (
                    select d.destination_id, d.source from destinations d
                    where d.thread_id = wanted.thread_id and d.source = any (?::text[])
                    order by d.created_at, d.destination_id limit %d) as found""".formatted(MAX_DESTINATIONS);
        Map<ThreadId, List<Route>> routes = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement).uuids(threads, ThreadId::value).texts(sources, source -> source);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    routes.computeIfAbsent(new ThreadId(rows.getObject(1, UUID.class)), thread -> new ArrayList<>())
                            .add(new Route(rows.getObject(2, UUID.class), rows.getString(3)));
                }
            }
        }
        return routes;
    }

    /** The destinations of revised messages; messages that were never sent are absent. */
    static Map<MessageRef, List<Sent>> sent(
            Connection connection, Collection<MessageRef> messages, Collection<String> sources) throws SQLException {
        String sql = """
                select wanted.thread_id, wanted.seq, d.destination_id, t.source, d.message_id, d.parts
                from unnest(?::uuid[], ?::bigint[]) as wanted (thread_id, seq)
                join deliveries d on d.thread_id = wanted.thread_id and d.seq = wanted.seq and d.part = 1
                join destinations t on t.destination_id = d.destination_id and t.source = any (?::text[])
                where d.revises is null""";
        Map<MessageRef, List<Sent>> sent = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(messages, message -> message.thread().value())
                    .longs(messages, MessageRef::seq)
                    .texts(sources, source -> source);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    MessageRef message = new MessageRef(new ThreadId(rows.getObject(1, UUID.class)), rows.getLong(2));
                    sent.computeIfAbsent(message, each -> new ArrayList<>())
                            .add(new Sent(
                                    rows.getObject(3, UUID.class),
                                    rows.getString(4),
                                    rows.getString(5),
                                    rows.getInt(6)));
                }
            }
        }
        return sent;
    }
}
