package dev.parley.attachments;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * Blobs cannot be written or read right now; a later try may succeed. The message is for operators and may name folders
 * and buckets; callers get {@link #problem()}.
 */
public final class StorageUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageUnavailable(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }

    /** The problem that callers get. */
    ProblemException problem() {
        return new ProblemException(
                Problem.STORAGE_UNAVAILABLE, "The object store cannot be used right now; try again later.");
    }
}
