package dev.parley.protocol.sessions;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The size and the usage of a session. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionMetricsView(
        String sessionId,
        long messages,
        long runs,
        SessionUsage usage,
        List<SessionCost> costs,
        List<SessionModelUsage> byModel) {}
