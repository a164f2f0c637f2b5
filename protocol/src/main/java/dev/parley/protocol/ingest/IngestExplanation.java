package dev.parley.protocol.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What would become of a message if it were brought now.
 *
 * @param sessionId the thread that it would go to, or went to; null if one would be made
 * @param messageId what it is, if it was brought before
 * @param agent who would answer first of all; null for what was brought before
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
