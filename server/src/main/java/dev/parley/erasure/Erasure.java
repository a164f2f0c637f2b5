package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator wants erased, and how far that has come.
 *
 * @param thread the thread to erase; null if it is about an actor
 * @param actor whose messages go, in all threads; null if it is about a thread
 * @param before only what was said before this; null for everything
 * @param threads in how many threads there is something to erase, as far as that is known
 * @param entries how many entries of the log were erased
 */
public record Erasure(
        UUID id,
        @Nullable ThreadId thread,
        @Nullable Actor actor,
        @Nullable Instant before,
        @Nullable String reason,
        Actor requestedBy,
        Instant requestedAt,
        long threads,
        long threadsDone,
        long entries,
        @Nullable Instant finishedAt) {
    /** Names what is erased, without a word of it. */
    String subject() {
        return thread == null ? String.valueOf(actor) : "thread:" + thread;
    }
}
