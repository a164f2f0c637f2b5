package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The thread's webhooks that the caller may see. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record WebhookPage(List<WebhookView> webhooks) {}
