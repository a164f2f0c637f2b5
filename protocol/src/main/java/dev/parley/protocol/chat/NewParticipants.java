package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Who shall join. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewParticipants(@Nullable List<String> senderIds) {}
