package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A change in one of the caller's threads. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record InboxHint(
        ThreadId threadId,
        long lastSeq,
        int unreadCount,
        @Nullable Boolean shouldRespond) {}
