package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** When the agents of a thread answer; agent_id limits it to one of them, for whom null takes the exception back. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ModeWish(
        @Nullable String participationMode, @Nullable String agentId) {}
