package dev.parley.protocol.chat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A node, as it said of itself with its last heartbeat. What may be missing is missing for a node of a version that said
 * nothing of it.
 *
 * @param state {@code alive}, {@code stopping} or {@code silent}
 * @param answering whether this is the node that answers
 * @param heartbeatAgeMs since its last heartbeat, by the database's clock
 * @param differences settings by which it does not fit together with the node that answers
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
