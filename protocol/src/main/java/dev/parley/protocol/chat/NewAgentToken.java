package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Which agent gets a token, and what it may do. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewAgentToken(
        @Nullable String agentActorId,
        @Nullable String agentDisplayName,
        @Nullable List<String> scopes,
        @Nullable Instant expiresAt) {
    /** For an agent that listens and speaks, without an end. */
    public static NewAgentToken of(Actor agent) {
        return new NewAgentToken(agent.value(), null, null, null);
    }
}
