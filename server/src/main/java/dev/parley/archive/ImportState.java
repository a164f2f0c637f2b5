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

/** The progress of an import, stored in the target database, so that it always agrees with the rows. */
final class ImportState {
    /** The rows that every new database has: the agent that needs no key, and the erasure that never ends. */
    private static final Map<String, String> SEEDS = Map.of(
            "agents", "kind = 'demo' and owner = '" + Actor.SYSTEM + "'",
            "erasures", "erasure_id = '" + new UUID(0, 0) + "'");

    private final Connection connection;
    private final UUID export;

    /**
     * @param finishedAt the end of the import; null while a step is missing
     * @param sound true if the final verification had no findings
     */
    record Row(int files, @Nullable Instant finishedAt, boolean sound) {}

    ImportState(Connection connection, UUID export) {
        this.connection = connection;
        this.export = export;
    }

    /** This import, if it was begun earlier. */
    Optional<Row> find() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select files, finished_at, sound from imports where export_id = ?")) {
            query.setObject(1, export);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                OffsetDateTime finished = row.getObject(2, OffsetDateTime.class);
                return Optional.of(
                        new Row(row.getInt(1), finished == null ? null : finished.toInstant(), row.getBoolean(3)));
            }
        }
    }

    /** Removes the rows of a new database, which the archive contains as well; refuses a database with other rows. */
    void clear(List<Table> tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> seed : SEEDS.entrySet()) {
                statement.executeUpdate("delete from " + seed.getKey() + " where " + seed.getValue());
            }
        }
        for (Table table : tables) {
            if (Snapshots.number(
                            connection, "select count(*) from (select from " + table.quotedName() + " limit 1) as one")
                    > 0) {
                throw new ArchiveRefused("The database is not empty: the table " + table.name()
                        + " has rows. An import needs a new database; nothing was changed.");
            }
        }
    }

    /**
     * Announces the import, so that no server starts from now on. A server that is already starting checks for imports
     * once more after it has become visible to the import.
     */
    void announce() throws SQLException {
        update("""
                insert into imports (files, started_at, export_id) values (?, now(), ?) on conflict do nothing""", 0);
    }

    /** Withdraws the announcement of an import that has imported nothing. */
    void withdraw() throws SQLException {
        update("delete from imports where files = ? and export_id = ?", 0);
    }

    void advance(int files) throws SQLException {
        update("update imports set files = ? where export_id = ?", files);
    }

    /** @param sound true if the verification had no findings */
    void finish(boolean sound) throws SQLException {
        update("update imports set finished_at = now(), sound = ? where export_id = ?", sound);
    }

    private void update(String sql, Object value) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setObject(1, value);
            update.setObject(2, export);
            update.executeUpdate();
        }
    }
}
