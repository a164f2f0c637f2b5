package dev.parley.archive;

import dev.parley.protocol.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How far an import is, as the database says: kept in it, so that it cannot be otherwise than the rows are. */
final class ImportState {
    /** What migrations put into tables: the agent that needs no key, and the erasure that never ends. */
    private static final Map<String, String> SEEDS = Map.of(
            "agents", "kind = 'demo' and owner = '" + Actor.SYSTEM + "'",
            "erasures", "erasure_id = '" + new UUID(0, 0) + "'");

    private final Connection connection;
    private final UUID export;

    /** @param finishedAt null while something is missing */
    record Row(int files, @Nullable Instant finishedAt) {}

    ImportState(Connection connection, UUID export) {
        this.connection = connection;
        this.export = export;
    }

    /** This very import, begun earlier. */
    Optional<Row> find() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select files, finished_at from imports where export_id = ? for update")) {
            query.setObject(1, export);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                OffsetDateTime finished = row.getObject(2, OffsetDateTime.class);
                return Optional.of(new Row(row.getInt(1), finished == null ? null : finished.toInstant()));
            }
        }
    }

    /** Begins in an empty database. A new schema is not quite empty, but what stands in it comes with the rows. */
    void begin(List<Table> tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> seed : SEEDS.entrySet()) {
                statement.executeUpdate("delete from " + seed.getKey() + " where " + seed.getValue());
            }
        }
        for (Table table : tables) {
            if (Snapshots.number(
                            connection, "select count(*) from (select from " + table.quotedName() + " limit 1) as one")
                    > 0) {
                throw new ArchiveRefused("The database is not empty: there is something in the table " + table.name()
                        + ". An import needs one in which nothing was ever said; nothing was changed.");
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into imports (export_id, files, started_at) values (?, 0, now())")) {
            insert.setObject(1, export);
            insert.executeUpdate();
        }
    }

    void advance(int files) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update imports set files = ? where export_id = ?")) {
            update.setInt(1, files);
            update.setObject(2, export);
            update.executeUpdate();
        }
    }

    void finish() throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update imports set finished_at = now() where export_id = ?")) {
            update.setObject(1, export);
            update.executeUpdate();
        }
    }
}
