package dev.parley.ingest;

import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Reads facts about inbound events for lanes, with one index probe for each key. */
final class InboundFacts {
    /**
     * Selects the wanted events that are stored. Lateral joins and limits prevent a scan of a table without statistics.
     */
    private static final String KNOWN = """
            select wanted.event_id
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                as wanted (event_id, source, workspace, place, channel, message, event)
            cross join lateral (
                (select 1 from inbound_events i
                    where i.source = wanted.source and i.workspace = wanted.workspace and i.place = wanted.place
                        and i.channel = wanted.channel and i.external_message_id = wanted.message limit 1)
                union all
                (select 1 from inbound_events i
                    where i.source = wanted.source and i.workspace = wanted.workspace
                        and i.external_event_id = wanted.event limit 1)) as found""";

    private static final String OPEN = """
            select event_id from inbound_events where event_id = any (?::uuid[]) and not run""";

    private InboundFacts() {}

    /** The ids of the events whose message or event id is stored already. */
    static Set<UUID> known(Connection connection, List<InboundEvent> events) throws SQLException {
        List<InboundEvent> keyed =
                events.stream().filter(event -> !event.keys().isEmpty()).toList();
        if (keyed.isEmpty()) {
            return Set.of();
        }
        try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
            new SqlArrays(connection, statement)
                    .uuids(keyed, InboundEvent::id)
                    .texts(keyed, event -> event.keys().channel().source())
                    .texts(keyed, event -> event.keys().channel().workspace())
                    .texts(keyed, event -> event.keys().channel().scope().wire())
                    .texts(keyed, event -> event.keys().channel().name())
                    .texts(keyed, event -> event.keys().message())
                    .texts(keyed, event -> event.keys().event());
            return ids(statement);
        }
    }

    /** The ids of the events that no agent answers. */
    static Set<UUID> open(Connection connection, List<UUID> events) throws SQLException {
        if (events.isEmpty()) {
            return Set.of();
        }
        try (PreparedStatement statement = connection.prepareStatement(OPEN)) {
            new SqlArrays(connection, statement).uuids(events, id -> id);
            return ids(statement);
        }
    }

    private static Set<UUID> ids(PreparedStatement statement) throws SQLException {
        Set<UUID> ids = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getObject(1, UUID.class));
            }
        }
        return ids;
    }
}
