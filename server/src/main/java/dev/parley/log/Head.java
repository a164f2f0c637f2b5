package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;

/**
 * Where a thread's log ends. Only whoever holds its row lock may move it.
 *
 * @param hash the chain over the digests of all entries so far
 * @param facts counts the changes of what rules know of the thread, so that they need not read it again and again
 */
public record Head(ThreadId thread, long lastSeq, long lastPosition, Instant lastCreatedAt, Digest hash, long facts) {
    /** The head of a thread that nothing was said in. */
    static Head empty(ThreadId thread, Instant createdAt) {
        return new Head(thread, 0, 0, createdAt, Digest.ZERO, 0);
    }

    Head after(Entry entry) {
        return new Head(thread, entry.seq(), entry.position(), entry.createdAt(), hash.chain(entry.digest()), facts);
    }

    /** Behind an event without an entry. */
    Head after(Event event) {
        return new Head(thread, lastSeq, event.position(), lastCreatedAt, hash, facts);
    }

    Head after(Effect effect) {
        return effect.changesFacts() ? new Head(thread, lastSeq, lastPosition, lastCreatedAt, hash, facts + 1) : this;
    }
}
