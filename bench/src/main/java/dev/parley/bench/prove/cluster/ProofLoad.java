package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.Crowd;
import dev.parley.bench.prove.RunCrowd;

/**
 * The size of the load.
 *
 * @param longestPauseMillis the longest pause between two messages of a writer
 */
record ProofLoad(Crowd.Size crowd, int longestPauseMillis, RunCrowd.Size runs) {
    private static final int PAUSE_MILLIS = 60;
    private static final int VIEWERS = 2;
    private static final int CANCELLED = 20;

    /** @param starters the number of starters, which start runs until they are stopped */
    static ProofLoad of(int writers, int readers, int starters) {
        return new ProofLoad(
                new Crowd.Size(writers, readers),
                PAUSE_MILLIS,
                new RunCrowd.Size(starters == 0 ? 0 : Integer.MAX_VALUE, starters, VIEWERS, CANCELLED));
    }
}
