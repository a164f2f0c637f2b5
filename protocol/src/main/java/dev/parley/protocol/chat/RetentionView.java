package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The number of days after which the messages of a thread are erased.
 *
 * @param retentionDays set for this thread; null for the server's default
 * @param effectiveDays the value in force; null for never
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RetentionView(
        ThreadId threadId,
        @Nullable Integer retentionDays,
        @Nullable Integer effectiveDays) {}
