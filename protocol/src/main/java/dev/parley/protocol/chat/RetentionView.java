package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * After how many days the messages of a thread are erased.
 *
 * @param retentionDays as it was set for this thread; null for what the server does
 * @param effectiveDays what counts; null for never
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RetentionView(
        ThreadId threadId,
        @Nullable Integer retentionDays,
        @Nullable Integer effectiveDays) {}
