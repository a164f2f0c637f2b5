package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Optional;

/** Nobody is mentioned who is not in the thread. */
final class MentionCheck {
    private MentionCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        if (command.fence() != null) {
            // Whom an agent meant may have left since: that is no reason to lose its answer.
            return Optional.empty();
        }
        for (Change change : command.changes()) {
            if (change instanceof Change.Append append) {
                List<Actor> mentions = append.draft().content().mentions();
                for (int i = 0; i < mentions.size(); i++) {
                    if (!thread.members().containsKey(mentions.get(i))) {
                        return Optional.of(
                                Refusal.ofField("mentions[" + i + "]", "names somebody who is not in this thread"));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
