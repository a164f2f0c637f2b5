package dev.parley.nodes;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node as the others see it.
 *
 * @param name null for one of a version that said nothing of itself, as all that may be missing here
 * @param heartbeatAge since it last said that it is alive, by the database's clock
 * @param isMe whether it is the one that was asked
 * @param differences the settings by which it does not fit together with the one that was asked
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

    /** Whether it is there. */
    public enum State {
        ALIVE,
        /** It finishes what it has begun, and begins nothing. */
        STOPPING,
        /** It has not been heard of for a whole lease: others do its work. */
        SILENT
    }

    /** What it is called where a name is needed. */
    public String shownName() {
        return name == null ? id.toString() : name;
    }
}
