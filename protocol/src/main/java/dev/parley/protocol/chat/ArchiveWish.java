package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Archives a thread, or restores it if {@code archived} is false. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ArchiveWish(@Nullable Boolean archived) {}
