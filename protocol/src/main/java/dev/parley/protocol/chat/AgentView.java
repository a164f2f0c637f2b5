package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** An agent as its owner sees it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AgentView(
        String agentId,
        Actor senderId,
        String displayName,
        String kind,
        ObjectNode config,
        String visibility,
        boolean isActive,
        Instant createdAt) {}
