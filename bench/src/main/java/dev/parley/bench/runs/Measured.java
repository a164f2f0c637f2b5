package dev.parley.bench.runs;

import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Latencies;
import org.jspecify.annotations.Nullable;

/**
 * One window at one rate.
 *
 * @param purpose why it was measured: the wanted rate, a step of the search, what the search found
 * @param unfinishedBefore runs that were due and not complete when the window began
 * @param start from when a run was due until it was acknowledged
 * @param completion from when a run was due until its viewer had its end
 * @param cores CPU seconds a second of all processes together, the load generator included
 */
record Measured(
        String purpose,
        int rate,
        int reads,
        double seconds,
        long due,
        long finished,
        long readsDone,
        long unfinishedBefore,
        long unfinishedAfter,
        long failures,
        @Nullable String firstFailure,
        Latencies start,
        Latencies completion,
        Latencies read,
        CpuUse.Each perRun,
        double cores,
        DiskProbe.Flush flush) {
    private static final double MAX_MILLIS = 2_000;
    private static final double MIN_SHARE = 0.99;

    /** Whether the rate was kept up: nothing failed, few took long, and no queue grew. */
    boolean holds() {
        return failures == 0
                && completion.p99() < MAX_MILLIS
                && finished >= MIN_SHARE * due - rate
                && unfinishedAfter - unfinishedBefore <= 2L * rate;
    }
}
