package dev.parley.protocol.ingest;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What became of a message that an integration brought.
 *
 * @param runId the run that answers it, if the server runs one
 * @param duplicate whether it had been brought before; then all this is of the first time
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IngestAnswer(
        ThreadId sessionId,
        String messageId,
        long seq,
        @Nullable String runId,
        IngestEngagement engagement,
        boolean duplicate) {}
