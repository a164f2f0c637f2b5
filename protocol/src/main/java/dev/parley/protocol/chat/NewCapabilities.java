package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The new capabilities of a participant. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewCapabilities(@Nullable List<String> capabilities) {}
