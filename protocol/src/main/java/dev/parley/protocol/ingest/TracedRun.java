package dev.parley.protocol.ingest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The run that answers what was brought.
 *
 * @param state as the run's own route says; null if it is not kept any more
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TracedRun(String runId, @Nullable String state) {}
