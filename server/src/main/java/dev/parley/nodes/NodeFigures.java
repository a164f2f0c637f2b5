package dev.parley.nodes;

import java.time.Duration;
import java.util.Optional;

/**
 * How a node is doing.
 *
 * @param runsExecuting runs that it executes
 * @param openStreams event streams that are open on it
 * @param laneQueue commands that wait for its lanes
 * @param busLag how long a wake-up takes to come back to it; empty if it does not know
 */
public record NodeFigures(int runsExecuting, int openStreams, int laneQueue, Optional<Duration> busLag) {
    static final NodeFigures NONE = new NodeFigures(0, 0, 0, Optional.empty());
}
