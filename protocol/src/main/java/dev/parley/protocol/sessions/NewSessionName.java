package dev.parley.protocol.sessions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** What a session shall be called from now on. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewSessionName(@Nullable String sessionName) {}
