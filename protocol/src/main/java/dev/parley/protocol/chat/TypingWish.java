package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The caller's typing status: started (default) or stopped. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TypingWish(@Nullable String status) {}
