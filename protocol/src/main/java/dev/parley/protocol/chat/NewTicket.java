package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The path of the stream that a ticket opens. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewTicket(@Nullable String path) {}
