package dev.parley.protocol.ingest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The result of a read of earlier messages that the thread lacked.
 *
 * @param from the source of the messages: the platform, or {@code log}
 * @param messages number of messages in {@code thread_context}
 * @param leftOut number of messages that {@code thread_context} leaves out
 * @param problem the reason for missing messages; null if none are missing
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TracedHistory(
        String from, int messages, int leftOut, @Nullable String problem) {}
