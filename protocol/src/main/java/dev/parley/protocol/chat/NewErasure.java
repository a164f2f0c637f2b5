package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An erasure to start: of a thread, or of an actor's entries in all threads.
 *
 * @param before the time before which entries are erased; if absent, all entries are erased
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewErasure(
        @Nullable String threadId,
        @Nullable String actor,
        @Nullable String before,
        @Nullable String reason) {}
