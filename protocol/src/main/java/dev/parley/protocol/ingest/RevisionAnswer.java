package dev.parley.protocol.ingest;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The result of a platform's change to an earlier message.
 *
 * @param result applied, unchanged, or waiting (for the message to be stored)
 * @param sessionId the thread of the message; null while the message is not stored
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RevisionAnswer(
        String result,
        @Nullable ThreadId sessionId,
        @Nullable String messageId) {}
