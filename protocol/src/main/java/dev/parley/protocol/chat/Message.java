package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** A message as every reader of the chat face sees it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Message(
        String id,
        Actor senderId,
        String role,
        String content,
        @Nullable ObjectNode metadata,
        List<Actor> mentions,
        Instant createdAt,
        @Nullable String clientMessageId,
        @Nullable String replyTo,
        long threadSeq,
        @Nullable Long baseSeq,
        @Nullable Long latestSeenSeq,
        long serverSeqAtSubmit) {}
