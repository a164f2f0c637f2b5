package dev.parley.protocol.ingest;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The result of ingesting a message.
 *
 * @param runId the run that answers the message, if the server runs one
 * @param duplicate true if the message was ingested before; all other fields then describe the first time
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IngestAnswer(
        ThreadId sessionId,
        String messageId,
        long seq,
        @Nullable String runId,
        IngestEngagement engagement,
        boolean duplicate) {}
