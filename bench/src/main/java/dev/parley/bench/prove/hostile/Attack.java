package dev.parley.bench.prove.hostile;

import java.io.IOException;

/** One kind of abuse. Called again and again until the proof ends; it bounds what it has under way at the same time. */
interface Attack extends AutoCloseable {
    String name();

    /** Abuses the server once; called by one thread at a time. Returns soon, so that the proof can end. */
    void strike() throws IOException, InterruptedException;

    /** The pause after each strike: the generator must not need the processors that the honest callers share with it. */
    default long pauseMillis() {
        return 100;
    }

    /** Ends what it still has under way. */
    @Override
    default void close() {}
}
