package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task of one erasure in one thread, with its progress.
 *
 * @param whole true if all messages are erased; false if only the actor's messages are erased
 * @param before the time before which messages are erased; null if all messages are erased
 * @param entriesTo the seq up to which entries are done
 * @param runsTo the position up to which runs are done
 * @param eventsTo the position up to which announcements are done
 * @param erasedAt the time of the last erased piece in this thread; null if no piece was erased
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

    /** The actor, if the whole thread is erased because the actor is the only person in it; otherwise null. */
    @Nullable
    Actor alone() {
        return whole ? actor : null;
    }

    /** True if none of the thread's content stays. */
    boolean erasesAll() {
        return whole && before == null;
    }
}
