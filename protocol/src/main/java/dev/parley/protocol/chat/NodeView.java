package dev.parley.protocol.chat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A node, as its last heartbeat described it. A nullable field is null if the node's version does not report the value.
 *
 * @param state {@code alive}, {@code stopping} or {@code silent}
 * @param answering true for the node that answers the request
 * @param heartbeatAgeMs the time since the last heartbeat, by the database's clock
 * @param differences the settings that do not fit the settings of the answering node
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NodeView(
        UUID nodeId,
        @Nullable String name,
        @Nullable String address,
        @Nullable String version,
        String state,
        boolean answering,
        Instant startedAt,
        long heartbeatAgeMs,
        @Nullable Integer runsExecuting,
        @Nullable Integer openStreams,
        @Nullable Integer laneQueue,
        @Nullable Long busLagMs,
        List<String> differences) {
    public NodeView {
        differences = List.copyOf(differences);
    }
}
