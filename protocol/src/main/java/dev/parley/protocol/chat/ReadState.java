package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** How far the caller has read. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ReadState(String status, long lastReadSeq) {}
