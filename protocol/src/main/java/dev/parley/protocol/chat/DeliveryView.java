package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One part of a reply on its way to a chat platform.
 *
 * @param part the number of the part, from 1
 * @param state {@code waiting}, {@code sending}, {@code sent}, {@code uncertain} or {@code dead}
 * @param externalId the platform's id of the sent part
 * @param problem the last problem with the part, in a sentence; null if there was none
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DeliveryView(
        String deliveryId,
        ThreadId threadId,
        long threadSeq,
        String messageId,
        @Nullable String runId,
        String source,
        String workspace,
        String channel,
        String externalThread,
        int part,
        int parts,
        String state,
        int attempts,
        @Nullable String externalId,
        @Nullable String problem,
        Instant createdAt,
        @Nullable Instant endedAt) {}
