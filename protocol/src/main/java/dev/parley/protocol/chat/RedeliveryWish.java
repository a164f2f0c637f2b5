package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** From where on events are sent again: behind this seq, or from the beginning. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RedeliveryWish(@Nullable Long afterSeq) {}
