package dev.parley.attachments;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.FactSource;
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
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Refuses a message whose objects were removed, moved or replaced since they were read. The rows of the objects stay
 * locked until the message is committed. A change to an object therefore either comes before the lock and is seen here,
 * or comes after the commit and is refused. A lane never waits for object rows: an object that is being changed is
 * busy, and its message may be sent again.
 */
public final class AttachedRule implements Rule<AttachedRule.Facts> {
    /**
     * The objects that a batch wants to show.
     *
     * @param free the locked objects, in their present state
     * @param locked the ids of the locked objects
     * @param existing the ids of all the objects that exist, including busy ones; empty if every object is locked
     */
    public record Facts(Set<Attached.Seen> free, Set<UUID> locked, Set<UUID> existing) {}

    @Override
    public Facts read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<UUID> wanted = commands.stream()
                .flatMap(AttachedRule::objects)
                .map(Attached.Seen::id)
                .distinct()
                .toList();
        Facts facts = new Facts(new HashSet<>(), new HashSet<>(), new HashSet<>());
        if (!wanted.isEmpty()) {
            Connection connection = source.connection();
            try (PreparedStatement statement = connection.prepareStatement("""
                    select object_id, path, sha256 from objects where object_id = any (?::uuid[])
                    order by object_id for key share skip locked""")) {
                new SqlArrays(connection, statement).uuids(wanted, object -> object);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        UUID id = rows.getObject("object_id", UUID.class);
                        facts.locked().add(id);
                        facts.free()
                                .add(new Attached.Seen(id, rows.getString("path"), BlobId.of(rows.getBytes("sha256"))));
                    }
                }
            }
            if (facts.locked().size() < wanted.size()) {
                readBusy(connection, wanted, facts);
            }
        }
        return facts;
    }

    private static void readBusy(Connection connection, List<UUID> wanted, Facts facts) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select object_id from objects where object_id = any (?::uuid[])")) {
            new SqlArrays(connection, statement).uuids(wanted, object -> object);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    facts.existing().add(rows.getObject("object_id", UUID.class));
                }
            }
        }
    }

    @Override
    public Judge over(Facts facts) {
        return (command, head) -> objects(command)
                .filter(object -> !facts.free().contains(object))
                .findFirst()
                .map(object -> facts.existing().contains(object.id())
                                && !facts.locked().contains(object.id())
                        ? Refusal.of(Problem.OVERLOADED, "An attachment is being changed right now; try again.")
                        : Refusal.of(Problem.RUN_INPUT_REFUSED, Attachments.NOT_USABLE));
    }

    private static Stream<Attached.Seen> objects(Command command) {
        return command.changes().stream()
                .flatMap(change ->
                        change instanceof Change.Apply(Attached attached) ? attached.objects().stream() : Stream.of());
    }
}
