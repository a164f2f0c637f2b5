package dev.parley.protocol.ingest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The reading of a platform's earlier messages that the thread lacks.
 *
 * @param from the platform, or {@code log}
 * @param messages number of messages in {@code thread_context}
 * @param leftOut number of messages that were left out of it
 * @param problem why messages are missing; null if none are
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TracedHistory(
        String from, int messages, int leftOut, @Nullable String problem) {}
