package dev.parley.protocol.sessions;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A session as one caller sees it: a thread under the name that the caller gave it.
 *
 * @param updatedAt the time of the last message
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionView(
        String sessionId,
        ThreadId threadId,
        @Nullable String sessionName,
        Instant createdAt,
        Instant updatedAt,
        long lastSeq,
        @Nullable String lastMessagePreview,
        boolean isArchived,
        int participants) {}
