package dev.parley.http;

import dev.parley.limits.FairShares;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests between their head and their answer, bounds them, and lets a stop wait for the last one. Those that
 * only wait, for a client or for something to happen, are counted and bounded apart, so that many of them keep no work out. Both
 * are shared between callers: a greedy one leaves room for the next.
 */
final class InFlight {
    private final int limit;
    private final int waitingLimit;
    private final FairShares<Object> workers;
    private final FairShares<Object> waiters;
    private final LongAdder overShare = new LongAdder();
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition empty = lock.newCondition();
    private volatile boolean awaited;

    InFlight(int limit, int waitingLimit) {
        this.limit = limit;
        this.waitingLimit = waitingLimit;
        this.workers = new FairShares<>(limit);
        this.waiters = new FairShares<>(waitingLimit);
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

    /** Takes one that has entered from the share of its caller; false if that is used up. */
    boolean tryShare(Object caller) {
        return count(workers.tryTake(caller));
    }

    /** @param caller whose share it took from, if it did */
    void leave(@Nullable Object caller) {
        if (caller != null) {
            workers.giveBack(caller);
        }
        leave();
    }

    private void leave() {
        if (all.decrementAndGet() == 0 && awaited) {
            lock.lock();
            try {
                empty.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Begins to wait, which gives the place of one that works back; false if too many wait, or too many of its caller. */
    boolean tryWait(@Nullable Object caller) {
        if (waiting.incrementAndGet() > waitingLimit || caller != null && !count(waiters.tryTake(caller))) {
            waiting.decrementAndGet();
            return false;
        }
        if (caller != null) {
            workers.giveBack(caller);
        }
        return true;
    }

    /** Works again, beyond the limit if need be: what has been waited for is not refused at its end. */
    void goOn(@Nullable Object caller) {
        if (caller != null) {
            waiters.giveBack(caller);
            workers.takeAnyway(caller);
        }
        waiting.decrementAndGet();
    }

    /** Leaves from its wait: even a moment as one that works would keep another out. */
    void leaveWaiting(@Nullable Object caller) {
        if (caller != null) {
            waiters.giveBack(caller);
        }
        leave();
        waiting.decrementAndGet();
    }

    private boolean count(boolean granted) {
        if (!granted) {
            overShare.increment();
        }
        return granted;
    }

    /** How many requests were refused since their caller had its share. */
    double overShare() {
        return overShare.sum();
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
