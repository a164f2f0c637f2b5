package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A webhook to register for a thread's events. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewWebhook(@Nullable String callbackUrl) {}
