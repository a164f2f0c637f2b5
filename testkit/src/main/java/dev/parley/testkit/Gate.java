package dev.parley.testkit;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The gate that every chunk of a proxy passes: shut while paused, slow while delayed. */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean paused;
    private Duration delay = Duration.ZERO;

    void pause() {
        set(() -> paused = true);
    }

    void resume() {
        set(() -> paused = false);
    }

    void delay(Duration length) {
        set(() -> delay = length);
    }

    /** Wakes the waiting pumps, so that each pump checks again whether its connection was cut. */
    void nudge() {
        set(() -> {});
    }

    /** Blocks until the gate is open or the caller has given up. */
    void pass(BooleanSupplier givenUp) throws InterruptedException {
        lock.lock();
        try {
            long left = delay.toNanos();
            while (!givenUp.getAsBoolean() && (paused || left > 0)) {
                if (paused) {
                    changed.await();
                } else {
                    left = changed.awaitNanos(left);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void set(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
