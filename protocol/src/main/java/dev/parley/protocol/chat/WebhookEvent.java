package dev.parley.protocol.chat;

import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** What a webhook is sent: an event, the same as by poll and SSE, with what kind it is and when it was. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record WebhookEvent(String type, Instant timestamp, EventEnvelope data) {}
