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
 * @param name null for a node of a version that did not report it, as with every value that may be null
 * @param heartbeatAge the time since its last heartbeat, by the database's clock
 * @param isMe true for the node that answers
 * @param differences the settings in which it differs from the node that answers
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
        /** It finishes its work, and takes no new work. */
        STOPPING,
        /** It has sent no heartbeat for a whole lease: other nodes take over its work. */
        SILENT
    }

    /** The name for messages. */
    public String shownName() {
        return name == null ? id.toString() : name;
    }
}
