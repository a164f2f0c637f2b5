package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task of one erasure in one thread, with its progress.
 *
 * @param whole true to erase all messages, false to erase the actor's only
 * @param before erases only messages from before this time; null for all
 * @param entriesTo the seq up to which entries are done
 * @param runsTo the position up to which runs are done
 * @param eventsTo the position up to which announcements are done
 * @param erasedAt the time of the last erased piece here; null if there was none
 */
record ErasureTask(
        UUID erasure,
        ThreadId thread,
        boolean whole,
        @Nullable Actor actor,
        @Nullable Instant before,
        long entriesTo,
        long runsTo,
        long eventsTo,
        @Nullable Instant erasedAt) {
    /** The erasure that never ends: it erases messages past their retention. */
    static final UUID RETENTION = new UUID(0, 0);

    /**
     * The actor that must be the only person of the thread, if everything is erased for that reason; null if that does
     * not matter.
     */
    @Nullable
    Actor alone() {
        return whole ? actor : null;
    }

    /** True if none of the thread's content stays. */
    boolean erasesAll() {
        return whole && before == null;
    }
}
