package dev.parley.protocol.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The trace of one ingested event: its message, run and deliveries.
 *
 * @param channelExternalId null if the message is in a sender's own conversation
 * @param linkedUser the user to whom the sender is linked
 * @param threadHistory the read of the earlier messages that the thread lacked; null if none were missing
 * @param raisedAt the time when a twin of the event caused an answer, although the event itself had caused no answer;
 *     null if there was no such twin
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MessageTrace(
        String eventId,
        String source,
        String workspaceId,
        @Nullable String channelExternalId,
        @Nullable String externalMessageId,
        @Nullable String externalEventId,
        Actor senderId,
        @Nullable Actor linkedUser,
        boolean senderIsBot,
        Instant receivedAt,
        ThreadId sessionId,
        String messageId,
        long seq,
        @Nullable TracedHistory threadHistory,
        IngestEngagement engagement,
        @Nullable Instant raisedAt,
        @Nullable TracedRun run,
        List<TracedDelivery> deliveries) {}
