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
 * @param staleLag the number of other senders' messages that the author had not read; null if the author gave no base
 *     seq
 * @param deletedAt the time when the author deleted the message; the content is then empty
 * @param erasedAt the time when the content was erased; the content is then empty, and the message counts as deleted
 * @param engagement the decisions about the agents that should answer the message, with reasons; null if the thread had
 *     no agent
 * @param usage the tokens and the cost of the model requests that made the message; null if no model made the message,
 *     or no provider reported usage
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
