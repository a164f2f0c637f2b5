package dev.parley.protocol.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The result that a message would have if it were ingested now.
 *
 * @param sessionId the thread of the message; null if a thread would be created
 * @param messageId the id of the stored message, if the message was ingested before
 * @param agent the agent that would answer first; null for a message that was ingested before
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IngestExplanation(
        boolean wouldStore,
        boolean duplicate,
        @Nullable ThreadId sessionId,
        @Nullable String messageId,
        @Nullable Actor agent,
        IngestEngagement engagement,
        List<IngestCheck> checks) {}
