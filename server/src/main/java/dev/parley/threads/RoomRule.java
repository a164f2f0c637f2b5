package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A thread has room for so many; counted inside the append, so that two who come at once do not both take the last place. */
public final class RoomRule implements Rule<RoomRule.Present> {
    private final int most;

    /** @param most participants of one thread */
    public RoomRule(int most) {
        this.most = most;
    }

    /** Who is in the threads that somebody joins. */
    public record Present(Map<ThreadId, Set<Actor>> members) {}

    static Refusal full(int most) {
        return Refusal.ofField("participants", "are more than the limit of " + most + " in one thread");
    }

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Present read(Connection connection, List<Command> commands) throws SQLException {
        Object[] threads = commands.stream()
                .filter(command -> !joining(command).isEmpty())
                .map(command -> command.thread().value())
                .distinct()
                .toArray();
        Map<ThreadId, Set<Actor>> members = new HashMap<>();
        if (threads.length == 0) {
            return new Present(members);
        }
        try (PreparedStatement statement =
                connection.prepareStatement("select thread_id, actor from participants where thread_id = any (?)")) {
            statement.setArray(1, connection.createArrayOf("uuid", threads));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    members.computeIfAbsent(new ThreadId(rows.getObject(1, UUID.class)), thread -> new HashSet<>())
                            .add(new Actor(rows.getString(2)));
                }
            }
        }
        return new Present(members);
    }

    @Override
    public Judge over(Present facts) {
        return (command, head) -> {
            List<Actor> joining = joining(command);
            if (joining.isEmpty()) {
                return Optional.empty();
            }
            Set<Actor> then = new HashSet<>(facts.members().getOrDefault(command.thread(), Set.of()));
            return then.addAll(joining) && then.size() > most ? Optional.of(full(most)) : Optional.empty();
        };
    }

    private static List<Actor> joining(Command command) {
        List<Actor> joining = new ArrayList<>();
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ThreadChange.Joined joined)) {
                joined.members().forEach(member -> joining.add(member.actor()));
            }
        }
        return joining;
    }
}
