package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A thread has room for so many; counted inside the append, so that two who come at once do not both take the last place. */
public final class RoomCheck implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;
    private final int most;

    /** @param most participants of one thread */
    public RoomCheck(ThreadFactsCache facts, int most) {
        this.facts = facts;
        this.most = most;
    }

    static Refusal full(int most) {
        return Refusal.ofField("participants", "are more than the limit of " + most + " in one thread");
    }

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Map<ThreadId, ThreadFacts> read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(connection, heads);
    }

    @Override
    public Judge over(Map<ThreadId, ThreadFacts> facts) {
        return (command, head) -> {
            List<Actor> joining = joining(command);
            if (joining.isEmpty()) {
                return Optional.empty();
            }
            Set<Actor> then = new HashSet<>(
                    ThreadFacts.of(facts, command.thread()).members().keySet());
            return then.addAll(joining) && then.size() > most ? Optional.of(full(most)) : Optional.empty();
        };
    }

    private static List<Actor> joining(Command command) {
        List<Actor> joining = new ArrayList<>();
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ThreadEffect.Joined joined)) {
                joined.members().forEach(member -> joining.add(member.actor()));
            }
        }
        return joining;
    }
}
