package dev.parley.threads;

import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Problem;
import java.util.Optional;

/** An archived thread refuses new entries; a retry of an earlier command still gets its answer. */
final class ArchiveCheck {
    private ArchiveCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        // Active runs and integrations may still write, because they cannot tell their users about a refusal.
        return command.fence() == null
                        && thread.archived()
                        && !isFromIntegration(command, thread)
                        && command.changes().stream().anyMatch(ArchiveCheck::appends)
                ? Optional.of(
                        Refusal.of(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting."))
                : Optional.empty();
    }

    private static boolean isFromIntegration(Command command, ThreadFacts thread) {
        return thread.source() != null && command.actor().equals(Sources.integration(thread.source()));
    }

    private static boolean appends(Change change) {
        return change instanceof Change.Append || change instanceof Change.Emit;
    }
}
