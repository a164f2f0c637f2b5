package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The seq up to which the caller has read. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ReadState(String status, long lastReadSeq) {}
