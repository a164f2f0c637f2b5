package dev.parley.erasure;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An erasure that an operator requested, with its progress.
 *
 * @param thread to erase; null if the erasure is of an actor
 * @param actor whose messages to erase, in all threads; null if the erasure is of a thread
 * @param before erases only messages from before this time; null for all
 * @param threads the threads with something to erase, as far as known
 * @param entries the erased entries of the log
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
    /** Names the subject without any of its content. */
    String subject() {
        return thread == null ? String.valueOf(actor) : "thread:" + thread;
    }
}
