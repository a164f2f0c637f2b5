package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The new title of a thread; null changes nothing. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewTitle(@Nullable String title) {}
