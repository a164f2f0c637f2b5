package dev.parley.nodes;

import java.time.Duration;
import java.util.Optional;

/**
 * The load of a node.
 *
 * @param runsExecuting runs that it executes
 * @param openStreams event streams that are open on it
 * @param laneQueue commands that wait for its lanes
 * @param busLag the time that a hint of its own takes to return to it; empty if unknown
 */
public record NodeFigures(int runsExecuting, int openStreams, int laneQueue, Optional<Duration> busLag) {
    static final NodeFigures NONE = new NodeFigures(0, 0, 0, Optional.empty());
}
