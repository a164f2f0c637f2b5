package dev.parley.protocol.sessions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The new name of a session. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewSessionName(@Nullable String sessionName) {}
