package dev.parley.log;

import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry before its append. A draft contains all its random values before it is queued. Therefore the decision is a
 * pure function, and the entry can be looked up after the answer to a commit is lost.
 *
 * @param key the idempotency key, or null if the caller gave none
 * @param fingerprint the hash of the body, by which a repeated key is recognised as the same request
 * @param rejectIfStale true if the author prefers a refusal to a stale message
 * @param wishedId the id that the client gave; the entry gets this id unless another entry of the thread has it
 * @param underWishedIdOnly true if the command is refused when the wished id is taken
 * @param saidAt the original time of a message from another system; null for the time of the append
 */
public record Draft(
        EntryContent content,
        @Nullable EntryKey key,
        Digest fingerprint,
        Digest salt,
        boolean rejectIfStale,
        @Nullable String wishedId,
        boolean underWishedIdOnly,
        @Nullable Instant saidAt) {
    private static final SecureRandom RANDOM = new SecureRandom();

    public static Draft of(EntryContent content, @Nullable EntryKey key, Digest fingerprint) {
        return new Draft(content, key, fingerprint, freshSalt(), false, null, false, null);
    }

    public Draft rejectedIfStale() {
        return new Draft(content, key, fingerprint, salt, true, wishedId, underWishedIdOnly, saidAt);
    }

    public Draft keyed(EntryKey other) {
        return new Draft(content, other, fingerprint, salt, rejectIfStale, wishedId, underWishedIdOnly, saidAt);
    }

    public Draft wishing(String id) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, id, false, saidAt);
    }

    /**
     * Wishes for an id as {@link #wishing} does, but refuses the command if the id is taken. A client that knows the
     * message by this id alone would show the message twice if the entry had another id.
     */
    public Draft insistingOn(String id) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, id, true, saidAt);
    }

    /**
     * Sets the original time of a message from another system. The entry keeps this time unless the thread's last entry
     * is later.
     */
    public Draft saidAt(Instant time) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, wishedId, underWishedIdOnly, time);
    }

    /** Sixteen random bytes that keep an erased entry's digest from revealing the entry's content. */
    static Digest freshSalt() {
        byte[] salt = new byte[16];
        RANDOM.nextBytes(salt);
        return Digest.of(salt);
    }
}
