package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A ticket for one stream. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Ticket(String ticket) {}
