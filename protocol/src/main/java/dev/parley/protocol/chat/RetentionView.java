package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The number of days after which the messages of a thread are erased.
 *
 * @param retentionDays the number that is set for this thread; null for the server's default
 * @param effectiveDays the number in force; null if messages are never erased
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RetentionView(
        ThreadId threadId,
        @Nullable Integer retentionDays,
        @Nullable Integer effectiveDays) {}
