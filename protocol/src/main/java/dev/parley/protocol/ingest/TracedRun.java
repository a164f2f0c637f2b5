package dev.parley.protocol.ingest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The run that answers an ingested message.
 *
 * @param state the state, as the run's own route reports it; null if the run is no longer stored
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TracedRun(String runId, @Nullable String state) {}
