package dev.parley.runs.lifecycle;

import dev.parley.nodes.Nodes;
import java.time.Duration;

/**
 * How runs are held.
 *
 * @param executing runs that one node executes at the same time
 * @param longest how long a run may take
 * @param output characters that one run may say
 * @param grace how long running ones may go on when the server stops
 * @param keepEvents for how long a run's own events are kept after its end
 */
public record RunSettings(int executing, Duration longest, int output, Duration grace, Duration keepEvents) {
    /** A node that has not said for so long that it is alive has lost its runs. */
    public static final Duration LEASE = Nodes.LEASE;

    public static final Duration HEARTBEAT = LEASE.dividedBy(3);

    /** An external driver that says nothing for so long has lost its run. */
    public static final Duration DRIVER_LEASE = Duration.ofSeconds(60);

    /** How often a run is begun again while nothing of it is visible. */
    public static final int ATTEMPTS = 3;

    /** How long a run's command may wait for the log: then somebody else has taken the run over anyway. */
    public static final Duration APPEND_TIMEOUT = Duration.ofSeconds(30);

    /** A run's events are compacted only when nobody looks for a lost commit answer among them any more. */
    public static final Duration COMPACT_AFTER = Duration.ofMinutes(2);
}
