package dev.parley.postgres;

import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL cannot run here; the message is one sentence that tells the operator the reason and, where known, the
 * remedy.
 */
public final class PostgresUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PostgresUnavailable(String sentence) {
        this(sentence, null);
    }

    public PostgresUnavailable(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
