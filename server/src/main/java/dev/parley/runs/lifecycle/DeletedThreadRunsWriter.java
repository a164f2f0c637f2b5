package dev.parley.runs.lifecycle;

import dev.parley.log.EffectWriter;
import dev.parley.threads.ThreadEffect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes the unfinished runs of a deleted thread. They would otherwise go on writing to a log that is being purged.
 */
public final class DeletedThreadRunsWriter implements EffectWriter<ThreadEffect.Deleted> {
    @Override
    public Class<ThreadEffect.Deleted> type() {
        return ThreadEffect.Deleted.class;
    }

    @Override
    public void write(Connection connection, List<ThreadEffect.Deleted> deleted) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "delete from runs where thread_id = ? and state in ('queued', 'running', 'waiting')")) {
            for (ThreadEffect.Deleted each : deleted) {
                statement.setObject(1, each.thread().value());
                statement.executeUpdate();
            }
        }
    }
}
