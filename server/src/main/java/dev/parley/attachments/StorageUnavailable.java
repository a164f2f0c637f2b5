package dev.parley.attachments;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes cannot be kept or read right now; the same may succeed later. The sentence is for those who run the server and
 * may name folders and buckets; callers get {@link #problem()}.
 */
public final class StorageUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StorageUnavailable(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }

    /** What a caller is told. */
    public ProblemException problem() {
        return new ProblemException(
                Problem.STORAGE_UNAVAILABLE, "The place where objects are kept cannot be used right now.");
    }
}
