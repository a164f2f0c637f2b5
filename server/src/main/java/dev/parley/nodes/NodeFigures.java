package dev.parley.nodes;

import java.time.Duration;
import java.util.Optional;

/**
 * The load of a node.
 *
 * @param runsExecuting the number of runs that the node executes
 * @param openStreams the number of event streams that are open on the node
 * @param laneQueue the number of commands that wait for the node's lanes
 * @param busLag the time that a hint of the node takes to return to the node; empty if unknown
 */
public record NodeFigures(int runsExecuting, int openStreams, int laneQueue, Optional<Duration> busLag) {
    static final NodeFigures NONE = new NodeFigures(0, 0, 0, Optional.empty());
}
