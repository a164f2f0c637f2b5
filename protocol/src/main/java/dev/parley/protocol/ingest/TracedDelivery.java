package dev.parley.protocol.ingest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The state of one part of an answer.
 *
 * @param state waiting, sending, sent, uncertain or dead
 * @param externalId the platform's id of the sent part
 * @param problem the last problem with the part, in a sentence; null if there was none
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record TracedDelivery(
        String deliveryId,
        String source,
        String workspaceId,
        String channelExternalId,
        String externalThreadId,
        int part,
        int parts,
        String state,
        int attempts,
        @Nullable String externalId,
        @Nullable String problem,
        Instant createdAt,
        @Nullable Instant endedAt) {}
