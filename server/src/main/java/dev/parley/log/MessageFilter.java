package dev.parley.log;

import org.jspecify.annotations.Nullable;

/**
 * The values that a listed message must have in its metadata. A null value is not compared.
 *
 * @param runId the run's id, as the metadata of its messages contains it
 */
public record MessageFilter(
        @Nullable String runId, @Nullable String stage) {
    public boolean isEmpty() {
        return runId == null && stage == null;
    }
}
