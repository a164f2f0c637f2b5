package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * An entry of the log as stored, revisions included.
 *
 * @param erasedAt the time when the content was erased; null if the content is not erased
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Entry(
        String id,
        long threadSeq,
        String kind,
        @Nullable Long targetSeq,
        Actor senderId,
        String role,
        String content,
        @Nullable ObjectNode metadata,
        Instant createdAt,
        @Nullable Instant erasedAt) {}
