package dev.parley.archive;

import org.jspecify.annotations.Nullable;

/** An export or import cannot be done; the message is one sentence for whoever asked for it. */
public final class ArchiveRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ArchiveRefused(String sentence) {
        this(sentence, null);
    }

    public ArchiveRefused(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
