package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one erasure has to do in one thread, and how far it has come.
 *
 * @param whole whether everything said there goes; if not, only what the actor said
 * @param before only what was said before this; null for everything
 * @param entriesTo the seq up to which entries are done
 * @param runsTo the position up to which runs are done
 * @param eventsTo the position up to which announcements are done
 * @param erasedAt when something was erased here last; null if nothing was
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
    /** The erasure that never ends: what is too old goes. */
    static final UUID RETENTION = new UUID(0, 0);

    /** Who must be the only person of the thread, if everything goes because of that; null if it does not matter. */
    @Nullable
    Actor alone() {
        return whole ? actor : null;
    }

    /** Whether nothing of the thread's content stays. */
    boolean everything() {
        return whole && before == null;
    }
}
