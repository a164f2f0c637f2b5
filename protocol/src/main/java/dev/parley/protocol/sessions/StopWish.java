package dev.parley.protocol.sessions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** @param runId the run to stop; absent means all runs of the session */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StopWish(@Nullable String runId) {}
