package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** An emoji and the senders who reacted with it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Reaction(String emoji, List<Actor> senderIds) {}
