package dev.parley.bench.prove.hostile;

import java.io.IOException;

/**
 * One kind of abuse, repeated until the proof ends. An attack bounds the number of its requests under way.
 *
 * @param pauseMillis the pause after each strike, which leaves the processors to the honest callers
 * @param end ends the requests that are still under way
 */
record Attack(String name, long pauseMillis, Strike strike, Runnable end) {
    /**
     * Abuses the server once. One thread at a time calls a strike. A strike returns soon, because the proof waits for
     * it.
     */
    @FunctionalInterface
    interface Strike {
        /** @param turn the number of the strike, counted from 1 */
        void carryOut(int turn) throws IOException, InterruptedException;
    }
}
