package dev.parley.archive;

import org.jspecify.annotations.Nullable;

/** An export or import cannot be done; the message is one sentence for the operator. */
public final class ArchiveRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ArchiveRefused(String sentence) {
        this(sentence, null);
    }

    ArchiveRefused(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
