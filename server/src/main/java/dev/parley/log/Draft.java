package dev.parley.log;

import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry to be. All randomness is in it before it is queued, so that deciding is pure and a lost commit answer can be
 * looked up.
 *
 * @param key the idempotency key, or null if the caller gave none
 * @param fingerprint the hash of the body, by which a repeated key is recognised as the same request
 * @param rejectIfStale whether the author would rather be refused than answer to an outdated thread
 * @param wishedId the id that its client gave: it gets it if nothing in the thread has it yet
 * @param underWishedIdOnly whether its command is refused if the wished id is taken
 * @param saidAt when it was said, for what is brought in from elsewhere; null for now
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

    /** As {@link #wishing}, for a client that knows the message by this id alone: under another one it would be doubled. */
    public Draft insistingOn(String id) {
        return new Draft(content, key, fingerprint, salt, rejectIfStale, id, true, saidAt);
    }

    /** For what was said elsewhere before: its time counts, as far as the thread's own time does not forbid it. */
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
