package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** An action of an operator. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AuditAct(long auditId, Instant at, Actor senderId, String action, String subject) {}
