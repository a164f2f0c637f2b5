package dev.parley.threads;

import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Problem;
import java.util.Optional;

/** An archived thread takes nothing new; a retry of what it took before still gets its answer. */
final class ArchiveCheck {
    private ArchiveCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        // A run that was under way is still written down, and so is what was said elsewhere: nobody there could be
        // told.
        return command.fence() == null
                        && thread.archived()
                        && !isBrought(command, thread)
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
