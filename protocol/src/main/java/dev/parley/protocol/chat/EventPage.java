package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page of a thread's events, in order. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record EventPage(List<EventEnvelope> events, boolean hasMore) {}
