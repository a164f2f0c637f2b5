package dev.parley.nodes;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node as the other nodes see it.
 *
 * @param name the name; null, like every other nullable value, for a node of a version that does not report it
 * @param heartbeatAge the time since the node's last heartbeat, by the database's clock
 * @param isMe true for the node that answers
 * @param differences the settings in which the node differs from the node that answers
 */
public record ListedNode(
        UUID id,
        @Nullable String name,
        @Nullable String address,
        @Nullable String version,
        State state,
        Instant startedAt,
        Duration heartbeatAge,
        boolean isMe,
        @Nullable Integer runsExecuting,
        @Nullable Integer openStreams,
        @Nullable Integer laneQueue,
        Optional<Duration> busLag,
        List<String> differences) {

    /** The availability of a node. */
    public enum State {
        ALIVE,
        /** The node finishes its work, and takes no new work. */
        STOPPING,
        /** The node has sent no heartbeat for a whole lease, so other nodes take over its work. */
        SILENT
    }

    /** The name to show, or the id of a node without a name. */
    public String shownName() {
        return name == null ? id.toString() : name;
    }
}
