package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to a change that has no other result. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Status(String status) {}
