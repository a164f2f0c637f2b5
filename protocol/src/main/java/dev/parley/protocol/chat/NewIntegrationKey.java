package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A key to create, by its source. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewIntegrationKey(@Nullable String source) {}
