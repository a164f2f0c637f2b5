package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to a change that has nothing else to say. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Status(String status) {}
