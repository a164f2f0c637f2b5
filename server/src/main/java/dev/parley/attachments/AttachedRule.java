package dev.parley.attachments;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Nothing is attached that was removed in the meantime. The rows are locked until the message is committed, in one order
 * for all, so that a removal comes before this and is seen here, or behind it and is refused.
 */
public final class AttachedRule implements Rule<Set<UUID>> {
    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Set<UUID> read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<UUID> wanted =
                commands.stream().flatMap(AttachedRule::objects).distinct().toList();
        Set<UUID> there = new HashSet<>();
        if (wanted.isEmpty()) {
            return there;
        }
        try (PreparedStatement statement = connection.prepareStatement("""
                select object_id from objects where object_id = any (?::uuid[])
                order by object_id for no key update""")) {
            new SqlArrays(connection, statement).uuids(wanted, object -> object);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    there.add(rows.getObject(1, UUID.class));
                }
            }
        }
        return there;
    }

    @Override
    public Judge over(Set<UUID> there) {
        return (command, head) -> objects(command).allMatch(there::contains)
                ? Optional.empty()
                : Optional.of(Refusal.of(Problem.RUN_INPUT_REFUSED, Attachments.NOT_USABLE));
    }

    private static Stream<UUID> objects(Command command) {
        return command.changes().stream()
                .flatMap(change ->
                        change instanceof Change.Apply(Attached attached) ? attached.objects().stream() : Stream.of());
    }
}
