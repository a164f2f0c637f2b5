package dev.parley.log;

import org.jspecify.annotations.Nullable;

/**
 * Members of the metadata that a listed message must have. A null member is not compared.
 *
 * @param runId the run's own id, as its messages carry it
 */
public record MessageFilter(
        @Nullable String runId, @Nullable String stage) {
    public boolean isEmpty() {
        return runId == null && stage == null;
    }
}
