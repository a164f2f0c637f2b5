package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;

/**
 * Where a thread's log ends. Only whoever holds its row lock may move it.
 *
 * @param hash the chain over the digests of all entries so far
 */
public record Head(ThreadId thread, long lastSeq, long lastPosition, Instant lastCreatedAt, Digest hash) {
    Head after(Entry entry) {
        return new Head(thread, entry.seq(), entry.position(), entry.createdAt(), hash.chain(entry.digest()));
    }

    Head after(Event.Announced event) {
        return new Head(thread, lastSeq, event.position(), lastCreatedAt, hash);
    }
}
