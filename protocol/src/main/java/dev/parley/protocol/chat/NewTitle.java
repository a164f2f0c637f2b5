package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A new title; null leaves it as it is. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewTitle(@Nullable String title) {}
