package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Refusal;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.util.Map;
import java.util.Optional;

/** An archived thread takes nothing new; a retry of what it took before still gets its answer. */
public final class ArchiveRule extends ThreadRule {
    public ArchiveRule(ThreadFactsCache facts) {
        super(facts);
    }

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Judge over(Map<ThreadId, ThreadFacts> facts) {
        return (command, head) -> of(facts, command.thread()).archived()
                        && command.changes().stream().anyMatch(Change.Append.class::isInstance)
                ? Optional.of(
                        Refusal.of(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting."))
                : Optional.empty();
    }
}
