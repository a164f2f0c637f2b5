package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Sets the number of days after which the messages of a thread are erased.
 *
 * @param retentionDays null for the server's default
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RetentionWish(@Nullable Integer retentionDays) {}
