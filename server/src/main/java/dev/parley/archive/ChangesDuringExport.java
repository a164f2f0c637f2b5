package dev.parley.archive;

import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.DeletedThreadRunsWriter;
import dev.parley.storage.SqlBatch;
import dev.parley.threads.ThreadEffect;
import dev.parley.threads.ThreadEffectWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Changes to threads that were read earlier in the export. An import must not undo these changes. The export reads them
 * last, together with the shared tables.
 *
 * @param deletedThreads the threads that were deleted since the export began, or shortly before
 * @param openDeliveries the deliveries that are still to be sent; any other delivery that seems open was sent or
 *     abandoned meanwhile
 */
record ChangesDuringExport(List<UUID> deletedThreads, List<UUID> openDeliveries) {
    static final ChangesDuringExport NONE = new ChangesDuringExport(List.of(), List.of());

    /**
     * Finds the threads deleted since a time, with a margin of an hour. The margin is needed because {@code deleted_at}
     * is the time at which the transaction began, not the time at which the deletion became visible.
     */
    private static final String DELETED = """
            select thread_id from threads where deleted_at >= ?::timestamptz - interval '1 hour'""";

    private static final String OPEN = "select delivery_id from deliveries where state in ('waiting', 'sending')";

    private static final String STILL_THERE = """
            select thread_id from threads where thread_id = any (?::uuid[]) and deleted_at is null""";

    /**
     * Sets the deliveries that were sent or abandoned meanwhile to {@code sending}. The delivery worker then asks the
     * platform if it has received them.
     */
    private static final String IN_DOUBT = """
            update deliveries set state = 'sending', begun_at = coalesce(begun_at, ?::timestamptz),
                tried_at = coalesce(tried_at, now())
            where state in ('waiting', 'sending') and not delivery_id = any (?::uuid[])""";

    private static final String DUE = """
            update destinations set next_at = now()
            where next_at is null and exists (
                select 1 from deliveries d
                where d.destination_id = destinations.destination_id and d.state in ('waiting', 'sending'))""";

    static ChangesDuringExport read(Connection connection, Manifest manifest) throws SQLException {
        PreparedStatement deleted = connection.prepareStatement(DELETED);
        deleted.setString(1, manifest.startedAt());
        return new ChangesDuringExport(ids(deleted), ids(connection.prepareStatement(OPEN)));
    }

    void apply(Connection connection, Manifest manifest) throws SQLException {
        delete(connection);
        try (PreparedStatement doubt = connection.prepareStatement(IN_DOUBT);
                PreparedStatement due = connection.prepareStatement(DUE)) {
            doubt.setString(1, manifest.startedAt());
            doubt.setArray(2, connection.createArrayOf("uuid", openDeliveries.toArray()));
            doubt.executeUpdate();
            due.executeUpdate();
        }
    }

    private void delete(Connection connection) throws SQLException {
        PreparedStatement existing = connection.prepareStatement(STILL_THERE);
        existing.setArray(1, connection.createArrayOf("uuid", deletedThreads.toArray()));
        List<ThreadEffect.Deleted> deleted = ids(existing).stream()
                .map(thread -> new ThreadEffect.Deleted(new ThreadId(thread)))
                .toList();
        SqlBatch batch = new SqlBatch(connection);
        new ThreadEffectWriter().write(batch, List.copyOf(deleted));
        new DeletedThreadRunsWriter().write(batch, deleted);
        batch.send();
    }

    private static List<UUID> ids(PreparedStatement query) throws SQLException {
        try (query;
                ResultSet row = query.executeQuery()) {
            List<UUID> ids = new ArrayList<>();
            while (row.next()) {
                ids.add(row.getObject(1, UUID.class));
            }
            return ids;
        }
    }
}
