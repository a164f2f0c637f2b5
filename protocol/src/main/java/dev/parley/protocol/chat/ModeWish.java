package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Sets the participation mode of a thread. With an {@code agent_id}, the mode is an exception for that agent, and a
 * null mode removes the exception.
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ModeWish(
        @Nullable String participationMode, @Nullable String agentId) {}
