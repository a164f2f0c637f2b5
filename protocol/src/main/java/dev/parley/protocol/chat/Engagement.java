package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Whether one agent of the thread should answer a message, decided when the message was committed.
 *
 * @param reason why, or why not, in one word such as {@code mentioned} or {@code hop_limit}
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Engagement(Actor senderId, boolean shouldRespond, String reason) {}
