package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Sets when the agents of a thread answer. With an agent_id it sets an exception for that agent; null removes the
 * exception.
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ModeWish(
        @Nullable String participationMode, @Nullable String agentId) {}
