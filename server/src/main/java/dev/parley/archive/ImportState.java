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
    /** What is in tables before anything was said: the agent that needs no key, and the erasure that never ends. */
    private static final Map<String, String> SEEDS = Map.of(
            "agents", "kind = 'demo' and owner = '" + Actor.SYSTEM + "'",
            "erasures", "erasure_id = '" + new UUID(0, 0) + "'");

    private final Connection connection;
    private final UUID export;

    /**
     * @param finishedAt null while something is missing
     * @param sound whether nothing was found to be wrong at the end
     */
    record Row(int files, @Nullable Instant finishedAt, boolean sound) {}

    ImportState(Connection connection, UUID export) {
        this.connection = connection;
        this.export = export;
    }

    /** This very import, begun earlier. */
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

    /** Makes room: where nothing was said there is something nevertheless, and it comes with the rows. */
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
                throw new ArchiveRefused("The database is not empty: there is something in the table " + table.name()
                        + ". An import needs one in which nothing was ever said; nothing was changed.");
            }
        }
    }

    /** From now on no server starts. One that is starting looks once more when others can see it. */
    void announce() throws SQLException {
        update("""
                insert into imports (files, started_at, export_id) values (?, now(), ?) on conflict do nothing""", 0);
    }

    /** Nothing was imported after all. */
    void withdraw() throws SQLException {
        update("delete from imports where files = ? and export_id = ?", 0);
    }

    void advance(int files) throws SQLException {
        update("update imports set files = ? where export_id = ?", files);
    }

    /** @param sound whether nothing was found to be wrong */
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
