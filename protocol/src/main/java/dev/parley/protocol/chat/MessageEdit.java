package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The new text of a message. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MessageEdit(@Nullable String content) {}
