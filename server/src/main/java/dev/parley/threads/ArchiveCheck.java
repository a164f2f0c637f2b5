package dev.parley.threads;

import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An archived thread takes nothing new; a retry of what it took before still gets its answer. */
public final class ArchiveCheck implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;

    public ArchiveCheck(ThreadFactsCache facts) {
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
        // A run that was under way is still written down, and so is what was said elsewhere: nobody there could be
        // told.
        return (command, head) -> command.fence() == null
                        && ThreadFacts.of(facts, command.thread()).archived()
                        && !isBrought(command, ThreadFacts.of(facts, command.thread()))
                        && command.changes().stream().anyMatch(ArchiveCheck::speaks)
                ? Optional.of(
                        Refusal.of(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting."))
                : Optional.empty();
    }

    private static boolean isBrought(Command command, ThreadFacts thread) {
        return thread.source() != null && command.actor().equals(Sources.integration(thread.source()));
    }

    private static boolean speaks(Change change) {
        return change instanceof Change.Append || change instanceof Change.Emit;
    }
}
