package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The seq after which events are sent again; absent means from the beginning. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RedeliveryWish(@Nullable Long afterSeq) {}
