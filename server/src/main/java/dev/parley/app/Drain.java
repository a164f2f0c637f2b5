package dev.parley.app;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The time between saying that this node stops and refusing anybody: whoever asks for its readiness now and then has to
 * ask once more before it sends others elsewhere. Runs finish meanwhile, so that it costs no time of theirs.
 */
final class Drain implements AutoCloseable {
    private final Duration length;
    private volatile long end = System.nanoTime();

    Drain(Duration length) {
        this.length = length;
    }

    /** From now on everybody can know that this node stops. */
    void begin() {
        end = System.nanoTime() + length.toNanos();
    }

    /** Waits until it is over; not at all if it has not begun. */
    @Override
    public void close() {
        for (long left = end - System.nanoTime();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
