package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** An archived thread takes nothing new; a retry of what it took before still gets its answer. */
public final class ArchiveRule implements Rule<Set<UUID>> {
    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Set<UUID> read(Connection connection, List<Command> commands) throws SQLException {
        Set<UUID> archived = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "select thread_id from threads where thread_id = any (?) and is_archived")) {
            new SqlArrays(connection, statement)
                    .uuids(commands.stream().map(Command::thread).distinct().toList(), ThreadId::value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    archived.add(rows.getObject(1, UUID.class));
                }
            }
        }
        return archived;
    }

    @Override
    public Judge over(Set<UUID> archived) {
        return (command, head) -> archived.contains(command.thread().value())
                        && command.changes().stream().anyMatch(Change.Append.class::isInstance)
                ? Optional.of(
                        Refusal.of(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting."))
                : Optional.empty();
    }
}
