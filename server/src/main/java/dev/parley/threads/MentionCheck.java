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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Nobody is mentioned who is not in the thread. */
public final class MentionCheck implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;

    public MentionCheck(ThreadFactsCache facts) {
        this.facts = facts;
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
        return (command, head) ->
                judge(command, ThreadFacts.of(facts, command.thread()).members().keySet());
    }

    private static Optional<Refusal> judge(Command command, Set<Actor> members) {
        if (command.fence() != null) {
            // Whom an agent meant may have left since: that is no reason to lose its answer.
            return Optional.empty();
        }
        for (Change change : command.changes()) {
            if (change instanceof Change.Append append) {
                List<Actor> mentions = append.draft().content().mentions();
                for (int i = 0; i < mentions.size(); i++) {
                    if (!members.contains(mentions.get(i))) {
                        return Optional.of(
                                Refusal.ofField("mentions[" + i + "]", "names somebody who is not in this thread"));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
