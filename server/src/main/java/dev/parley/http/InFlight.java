package dev.parley.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the requests between their head and their answer, bounds them, and lets a stop wait for the last one. Those that
 * only wait, for a client or for something to happen, are counted and bounded apart, so that many of them keep no work out.
 */
final class InFlight {
    private final int limit;
    private final int waitingLimit;
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition empty = lock.newCondition();
    private volatile boolean awaited;

    InFlight(int limit, int waitingLimit) {
        this.limit = limit;
        this.waitingLimit = waitingLimit;
    }

    boolean tryEnter() {
        if (all.incrementAndGet() - waiting.get() > limit) {
            leave();
            return false;
        }
        return true;
    }

    /** For what has to be answered however much is going on. */
    void enter() {
        all.incrementAndGet();
    }

    void leave() {
        if (all.decrementAndGet() == 0 && awaited) {
            lock.lock();
            try {
                empty.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Begins to wait, which gives the place of one that works back; false if too many wait. */
    boolean tryWait() {
        if (waiting.incrementAndGet() > waitingLimit) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Works again, beyond the limit if need be: what has been waited for is not refused at its end. */
    void goOn() {
        waiting.decrementAndGet();
    }

    /** How many are worked on. */
    int working() {
        return Math.max(0, all.get() - waiting.get());
    }

    int waiting() {
        return waiting.get();
    }

    /** Whether none was left before the time was over. */
    boolean awaitEmpty(Duration atMost) throws InterruptedException {
        awaited = true;
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (all.get() > 0) {
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
