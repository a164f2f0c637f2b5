package dev.parley.bench.prove.hostile;

import java.io.IOException;

/**
 * One kind of abuse, repeated until the proof ends. It bounds the requests that it has under way.
 *
 * @param pauseMillis after each strike, so that the generator leaves the processors to the honest callers
 * @param end ends the requests that are still under way
 */
record Attack(String name, long pauseMillis, Strike strike, Runnable end) {
    /** Abuses the server once; called by one thread at a time. Returns soon, so that the proof can end. */
    @FunctionalInterface
    interface Strike {
        /** @param turn counted from 1 */
        void carryOut(int turn) throws IOException, InterruptedException;
    }
}
