package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A token; its raw value is shown only in the answer that creates the token. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AgentTokenView(
        String tokenId,
        Actor agentActorId,
        @Nullable String rawToken,
        String tokenPrefix,
        String agentDisplayName,
        List<String> scopes,
        @Nullable Instant expiresAt,
        Instant createdAt,
        @Nullable Instant lastUsedAt) {}
