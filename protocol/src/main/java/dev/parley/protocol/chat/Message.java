package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as every reader of the chat face sees it, with its revisions applied.
 *
 * @param staleLag the number of other senders' messages that its author had not read; null if the author gave no base
 *     seq
 * @param deletedAt when its author deleted it; its content is then empty
 * @param erasedAt since when only its seq is left; its content is then empty, and it counts as deleted
 * @param engagement which agents of the thread should answer it, and why; null if the thread had none
 * @param usage the tokens and cost of making it; null if no model made it, or no provider reported usage
 */
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
        long serverSeqAtSubmit,
        @Nullable Integer staleLag,
        @Nullable Instant editedAt,
        @Nullable Instant deletedAt,
        @Nullable Instant erasedAt,
        List<Reaction> reactions,
        @Nullable List<Engagement> engagement,
        @Nullable MessageUsage usage) {}
