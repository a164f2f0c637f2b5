package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What an operator wants erased: a thread, or what somebody said in all threads.
 *
 * @param before only what was said before this; everything if absent
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewErasure(
        @Nullable String threadId,
        @Nullable String actor,
        @Nullable String before,
        @Nullable String reason) {}
