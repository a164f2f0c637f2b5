package dev.parley.protocol.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page of runs, in the order of their creation. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionRunPage(
        List<SessionRunView> runs, @Nullable String nextCursor) {}
