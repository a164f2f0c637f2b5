package dev.parley.runs.lifecycle;

import dev.parley.nodes.Nodes;
import java.time.Duration;

/**
 * The limits and periods of runs.
 *
 * @param executing the number of runs that one node executes at the same time
 * @param longest the time limit of a run
 * @param output the number of characters that one run may stream
 * @param grace the time that executing runs get when the server stops
 * @param keepEvents the time for which a run's events are kept after its end
 */
public record RunSettings(int executing, Duration longest, int output, Duration grace, Duration keepEvents) {
    /** A node that has not renewed its lease for this time has lost its runs. */
    public static final Duration LEASE = Nodes.LEASE;

    public static final Duration HEARTBEAT = LEASE.dividedBy(3);

    /** An external driver that has been silent for this time has lost its run. */
    public static final Duration DRIVER_LEASE = Duration.ofSeconds(60);

    /** The maximum number of attempts for a run without a visible event. */
    public static final int ATTEMPTS = 3;

    /**
     * The time for which a run's command may wait for the log. After this time another node has taken over the run
     * anyway.
     */
    public static final Duration APPEND_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The time from a run's end to the compaction of its events. If the answer to a commit was lost, the retry searches
     * the log for the uncompacted events. All such retries end before this time has passed.
     */
    public static final Duration COMPACT_AFTER = Duration.ofMinutes(2);
}
