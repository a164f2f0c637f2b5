package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would become of a message.
 *
 * @param session the thread that it would go to, or went to; null if one would be made
 * @param messageId what it is, if it was brought before
 * @param agent who would answer it first of all
 */
public record Explanation(
        boolean wouldStore,
        boolean duplicate,
        @Nullable ThreadId session,
        @Nullable String messageId,
        @Nullable Actor agent,
        Verdict verdict,
        List<Check> checks) {
    /** Something that was looked at, and what was found, in a sentence. */
    public record Check(String name, String detail) {}
}
