package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The caller, as the server authenticates it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Caller(Actor senderId, String kind, String displayName, boolean isOperator, List<String> scopes) {}
