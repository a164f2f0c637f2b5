package dev.parley.log;

import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry before its append. All randomness is in it before it is queued, so that deciding is pure and a lost commit
 * answer can be looked up.
 *
 * @param key the idempotency key, or null if the caller gave none
 * @param fingerprint the hash of the body, by which a repeated key is recognised as the same request
 * @param rejectIfStale true if the author prefers a refusal to answering an outdated thread
 * @param wishedId the id that the client gave: the entry gets it if no entry of the thread has it yet
 * @param underWishedIdOnly true if the command is refused once the wished id is taken
 * @param saidAt the original time of a message that is brought in from elsewhere; null for now
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
     * As {@link #wishing}, for a client that knows the message by this id alone: under another id the client would show
     * it twice.
     */
    public Draft insistingOn(String id) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, id, true, saidAt);
    }

    /**
     * Sets the original time of a message from elsewhere. The entry keeps it unless the thread's last entry is later.
     */
    public Draft saidAt(Instant time) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, wishedId, underWishedIdOnly, time);
    }

    /** Sixteen random bytes that keep an erased entry's digest from giving its content away. */
    static Digest freshSalt() {
        byte[] salt = new byte[16];
        RANDOM.nextBytes(salt);
        return Digest.of(salt);
    }
}
