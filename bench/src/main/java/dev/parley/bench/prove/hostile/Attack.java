package dev.parley.bench.prove.hostile;

import java.io.IOException;

/**
 * One kind of abuse, carried out again and again until the proof ends. It bounds what it has under way at the same time.
 *
 * @param pauseMillis after each strike: the generator must not need the processors that the honest callers share with it
 * @param end ends what it still has under way
 */
record Attack(String name, long pauseMillis, Strike strike, Runnable end) {
    /** Abuses the server once; called by one thread at a time. Returns soon, so that the proof can end. */
    @FunctionalInterface
    interface Strike {
        /** @param turn counted from 1 */
        void carryOut(int turn) throws IOException, InterruptedException;
    }
}
