package dev.parley.protocol.chat;

import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The body of a webhook call: an event in the same form as in polls and SSE, with its type and time. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record WebhookEvent(String type, Instant timestamp, EventEnvelope data) {}
