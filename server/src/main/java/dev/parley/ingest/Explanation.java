package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome that a message would have if it were submitted.
 *
 * @param session the message's thread; null if a new thread would be created
 * @param messageId the id of the message, if it was submitted before
 * @param agent the agent that the verdict is about; null if the message was submitted before
 */
public record Explanation(
        boolean wouldStore,
        boolean duplicate,
        @Nullable ThreadId session,
        @Nullable String messageId,
        @Nullable Actor agent,
        Verdict verdict,
        List<Check> checks) {
    /** One check and its result, in a sentence. */
    public record Check(String name, String detail) {}
}
