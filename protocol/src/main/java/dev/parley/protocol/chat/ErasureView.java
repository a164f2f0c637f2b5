package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An erasure and its progress.
 *
 * @param state running or finished
 * @param threads the number of threads with entries to erase, as far as known
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ErasureView(
        String erasureId,
        @Nullable ThreadId threadId,
        @Nullable Actor actor,
        @Nullable Instant before,
        @Nullable String reason,
        String state,
        long threads,
        long threadsDone,
        long entriesErased,
        Actor requestedBy,
        Instant requestedAt,
        @Nullable Instant finishedAt) {}
