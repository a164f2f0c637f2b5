package dev.parley.protocol.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page of sessions, the most active first. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionPage(
        List<SessionView> sessions, @Nullable String nextCursor) {}
