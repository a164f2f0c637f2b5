package dev.parley.delivery;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes queued parts, inside the lane's transaction. */
public final class DeliveryWriter implements EffectWriter<DeliveryEffect> {
    @Override
    public Class<DeliveryEffect> type() {
        return DeliveryEffect.class;
    }

    @Override
    public void write(SqlBatch batch, List<DeliveryEffect> effects) throws SQLException {
        Connection connection = batch.connection();
        List<QueuedParcel> rows =
                effects.stream().flatMap(effect -> effect.parcels().stream()).toList();
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
        wake(connection, rows);
    }

    /**
     * Makes the destinations due. The first statement locks the destinations in the order of their ids, so that lanes
     * cannot deadlock. The second statement then sees the rows as the previous holder of the locks has written them.
     */
    private static void wake(Connection connection, List<QueuedParcel> rows) throws SQLException {
        run(connection, rows, """
                select 1 from destinations where destination_id = any (?::uuid[])
                order by destination_id for no key update""");
        run(connection, rows, """
                update destinations set next_at = now() where destination_id = any (?::uuid[]) and next_at is null""");
    }

    private static void run(Connection connection, List<QueuedParcel> rows, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement).uuids(rows, QueuedParcel::destination);
            statement.execute();
        }
    }
}
