package dev.parley.http;

import dev.parley.limits.FairShares;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests between their head and their answer, bounds them, and lets a stop wait for the last request.
 * Requests that only wait for a client or an event are counted and bounded separately, so that many waiting requests
 * keep no work out. Both bounds are shared between callers, so that a greedy caller leaves room for the next caller.
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

    /** Enters without a limit, for requests that must be answered under any load. */
    void enter() {
        all.incrementAndGet();
    }

    /** Takes the slot of an entered request from its caller's share. Returns false if the share is used up. */
    boolean tryShare(Object caller) {
        return count(workers.tryTake(caller));
    }

    /** @param caller the caller whose share the request took, or null if it took none */
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

    /**
     * Begins to wait, which frees the slot of a working request. Returns false if too many requests wait already, in
     * total or for this caller.
     */
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

    /** Counts the request as working again, even beyond the limit, because a request is not refused after its wait. */
    void goOn(@Nullable Object caller) {
        if (caller != null) {
            waiters.giveBack(caller);
            workers.takeAnyway(caller);
        }
        waiting.decrementAndGet();
    }

    /**
     * Leaves directly from the waiting state. If the request counted as working first, even for a moment, it would keep
     * another request out.
     */
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

    /** The number of requests refused because their caller had used up its share. */
    double overShare() {
        return overShare.sum();
    }

    /** The number of working requests. */
    int working() {
        return Math.max(0, all.get() - waiting.get());
    }

    int waiting() {
        return waiting.get();
    }

    /** Waits for the last request to leave. Returns false if the time limit ends first. */
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
