package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The seq up to which the caller has read; absent means everything. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ReadMarker(@Nullable Long seq) {}
