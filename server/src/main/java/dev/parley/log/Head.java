package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;

/**
 * The end of a thread's log. Only the transaction that locks the head's row may change the head.
 *
 * @param hash the chain over the digests of all entries so far
 * @param facts the number of changes so far to the facts that rules read; rules use this number to cache the facts
 */
public record Head(ThreadId thread, long lastSeq, long lastPosition, Instant lastCreatedAt, Digest hash, long facts) {
    /** The head of a thread without entries. */
    static Head empty(ThreadId thread, Instant createdAt) {
        return new Head(thread, 0, 0, createdAt, Digest.ZERO, 0);
    }

    Head after(Entry entry) {
        return new Head(thread, entry.seq(), entry.position(), entry.createdAt(), hash.chain(entry.digest()), facts);
    }

    /** The head after an event without an entry. */
    Head after(Event event) {
        return new Head(thread, lastSeq, event.position(), lastCreatedAt, hash, facts);
    }

    Head after(Effect effect) {
        return effect.changesFacts() ? new Head(thread, lastSeq, lastPosition, lastCreatedAt, hash, facts + 1) : this;
    }
}
