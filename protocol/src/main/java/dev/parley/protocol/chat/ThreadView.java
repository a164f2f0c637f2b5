package dev.parley.protocol.chat;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A thread as one caller sees it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ThreadView(
        ThreadId threadId,
        String threadType,
        @Nullable String title,
        boolean isArchived,
        List<Participant> participants,
        long lastSeq,
        @Nullable Instant lastMessageAt,
        @Nullable String lastMessagePreview,
        int unreadCount,
        String participationMode,
        Instant createdAt) {}
