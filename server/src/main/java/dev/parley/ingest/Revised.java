package dev.parley.ingest;

import dev.parley.protocol.ThreadId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a revision that a platform told of.
 *
 * @param thread null while the message it is of is not here
 */
public record Revised(
        Result result, @Nullable ThreadId thread, @Nullable String messageId) {
    /** How it ended. */
    public enum Result {
        /** The message is changed. */
        APPLIED,
        /** It was so already, or is not to be changed from there. */
        UNCHANGED,
        /** The message is not here; it is applied when it comes. */
        WAITING;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static final Revised WAITING = new Revised(Result.WAITING, null, null);

    static Revised of(boolean changed, ThreadId thread, String messageId) {
        return new Revised(changed ? Result.APPLIED : Result.UNCHANGED, thread, messageId);
    }
}
