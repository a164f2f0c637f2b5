package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Optional;

/** Only participants can be mentioned. */
final class MentionCheck {
    private MentionCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        if (command.fence() != null) {
            // The mentioned participant may have left since the agent wrote. The agent's answer must not be lost for
            // that reason.
            return Optional.empty();
        }
        for (Change change : command.changes()) {
            if (change instanceof Change.Append append) {
                List<Actor> mentions = append.draft().content().mentions();
                for (int i = 0; i < mentions.size(); i++) {
                    if (!thread.members().containsKey(mentions.get(i))) {
                        return Optional.of(
                                Refusal.ofField("mentions[" + i + "]", "must be a participant of this thread"));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
