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

/** What lanes have to know of places: those that hear a thread, by one index probe for each. */
final class DeliveryFacts {
    /** So many places hear one thread at most; there is one, unless an integration routes more to it. */
    private static final int MOST_PLACES = 20;

    private DeliveryFacts() {}

    /** A place that hears a thread. */
    record Route(UUID destination, String source) {}

    static Map<ThreadId, List<Route>> routes(
            Connection connection, Collection<ThreadId> threads, Collection<String> sources) throws SQLException {
        String sql = """
                select wanted.thread_id, found.destination_id, found.source
                from unnest(?::uuid[]) as wanted (thread_id)
                cross join lateral (
                    select d.destination_id, d.source from destinations d
                    where d.thread_id = wanted.thread_id and d.source = any (?::text[])
                    order by d.created_at, d.destination_id limit %d) as found""".formatted(MOST_PLACES);
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
}
