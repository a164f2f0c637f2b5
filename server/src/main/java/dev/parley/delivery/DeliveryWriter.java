package dev.parley.delivery;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes what is to be delivered, inside the lane's transaction. */
public final class DeliveryWriter implements EffectWriter<DeliveryChange> {
    @Override
    public Class<DeliveryChange> type() {
        return DeliveryChange.class;
    }

    @Override
    public void write(Connection connection, List<DeliveryChange> changes) throws SQLException {
        List<QueuedParcel> rows =
                changes.stream().flatMap(change -> change.parcels().stream()).toList();
        String sql = """
                insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, run_id, revises, part, parts, content,
                    marker, state, created_at)
                select *, 'waiting', now()
                from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::int[], ?::int[],
                    ?::text[], ?::text[])""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, QueuedParcel::id)
                    .uuids(rows, QueuedParcel::destination)
                    .uuids(rows, row -> row.thread().value())
                    .longs(rows, QueuedParcel::seq)
                    .texts(rows, QueuedParcel::messageId)
                    .texts(rows, QueuedParcel::runId)
                    .longs(rows, QueuedParcel::revises)
                    .integers(rows, QueuedParcel::part)
                    .integers(rows, QueuedParcel::parts)
                    .texts(rows, QueuedParcel::content)
                    .texts(rows, QueuedParcel::marker);
            statement.executeUpdate();
        }
    }
}
