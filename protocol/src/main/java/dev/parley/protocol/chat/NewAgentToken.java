package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A token to create: its agent, its scopes and its expiry. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewAgentToken(
        @Nullable String agentActorId,
        @Nullable String agentDisplayName,
        @Nullable List<String> scopes,
        @Nullable Instant expiresAt) {
    /** A token without an expiry, for an agent that reads and posts. */
    public static NewAgentToken of(Actor agent) {
        return new NewAgentToken(agent.value(), null, null, null);
    }
}
