package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An erasure that an operator requested, with its progress.
 *
 * @param thread the thread to erase; null if an actor is erased
 * @param actor the actor whose messages are erased in all threads; null if a thread is erased
 * @param before the time before which messages are erased; null if all messages are erased
 * @param threads the number of threads with content to erase, as far as known
 * @param entries the number of erased entries
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
    /** The name of the erased actor or thread, without any content. */
    String subject() {
        return thread == null ? String.valueOf(actor) : "thread:" + thread;
    }
}
