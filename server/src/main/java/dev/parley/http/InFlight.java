package dev.parley.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the requests between their head and their answer, bounds them, and lets a stop wait for the last one. */
final class InFlight {
    private final int limit;
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition empty = lock.newCondition();
    private volatile boolean awaited;

    InFlight(int limit) {
        this.limit = limit;
    }

    boolean tryEnter() {
        if (count.incrementAndGet() > limit) {
            leave();
            return false;
        }
        return true;
    }

    void leave() {
        if (count.decrementAndGet() == 0 && awaited) {
            lock.lock();
            try {
                empty.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    int count() {
        return count.get();
    }

    /** Whether none was left before the time was over. */
    boolean awaitEmpty(Duration atMost) throws InterruptedException {
        awaited = true;
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (count.get() > 0) {
                if (left <= 0) {
                    return false;
                }
                left = empty.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
