package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Sets if a thread is archived; absent means yes. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ArchiveWish(@Nullable Boolean archived) {}
