package dev.parley.ingest;

import dev.parley.protocol.ThreadId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a platform's revision.
 *
 * @param thread null while the revised message is unknown
 */
public record Revised(
        Result result, @Nullable ThreadId thread, @Nullable String messageId) {
    /** The kind of outcome. */
    public enum Result {
        /** The message is changed. */
        APPLIED,
        /** The message has this state already, or the platform may not change it. */
        UNCHANGED,
        /** The message is unknown; the revision is applied after it arrives. */
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
