package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The heap bytes that requests may reserve together. A caller may reserve at most as many bytes as are still free
 * afterwards. One caller alone gets a half, and two callers get a third each, so there is always room for one more
 * caller. A request that finds no room waits for a limited time and is then refused.
 */
final class MemoryBudget {
    /** The limit of waiting requests. It is low, because each release looks at all waiting requests. */
    static final int MAX_WAITING = 1_024;

    private final long total;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Long> byCaller = new HashMap<>();
    /**
     * The waiting requests in the order of arrival. A request that fits does not wait for an earlier request that does
     * not fit.
     */
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    private long reserved;
    private long refused;

    private static final class Waiter {
        final Object caller;
        final long bytes;
        final Condition granted;
        boolean isGranted;

        Waiter(Object caller, long bytes, Condition granted) {
            this.caller = caller;
            this.bytes = bytes;
            this.granted = granted;
        }
    }

    /** @param timeout the longest wait for room */
    MemoryBudget(long total, Duration timeout) {
        this.total = total;
        this.timeout = timeout;
    }

    /** The bytes that one request can reserve while no other request holds any. */
    long largest() {
        return total / 2;
    }

    /** Reserves without waiting; false if there is no room. */
    boolean tryReserve(Object caller, long bytes) {
        lock.lock();
        try {
            boolean fits = fits(caller, bytes);
            if (fits) {
                add(caller, bytes);
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room; refuses after the timeout. */
    void reserve(Object caller, long bytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (fits(caller, bytes)) {
                add(caller, bytes);
            } else {
                await(new Waiter(caller, bytes, lock.newCondition()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts bytes that are held already. */
    void reserveAnyway(Object caller, long bytes) {
        lock.lock();
        try {
            add(caller, bytes);
        } finally {
            lock.unlock();
        }
    }

    void release(Object caller, long bytes) {
        lock.lock();
        try {
            add(caller, -bytes);
            Iterator<Waiter> each = waiters.iterator();
            while (each.hasNext()) {
                Waiter waiter = each.next();
                if (fits(waiter.caller, waiter.bytes)) {
                    each.remove();
                    add(waiter.caller, waiter.bytes);
                    waiter.isGranted = true;
                    waiter.granted.signal();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    long reserved() {
        return locked(() -> reserved);
    }

    long refused() {
        return locked(() -> refused);
    }

    int waiting() {
        return (int) locked(waiters::size);
    }

    private long locked(LongSupplier read) {
        lock.lock();
        try {
            return read.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(Object caller, long bytes) {
        return byCaller.getOrDefault(caller, 0L) + bytes <= total - reserved - bytes;
    }

    private void add(Object caller, long bytes) {
        reserved += bytes;
        byCaller.merge(caller, bytes, (before, more) -> before + more == 0 ? null : before + more);
    }

    private void await(Waiter waiter) throws InterruptedException {
        if (waiters.size() >= MAX_WAITING) {
            throw refusal();
        }
        waiters.add(waiter);
        try {
            long left = timeout.toNanos();
            while (!waiter.isGranted && left > 0) {
                left = waiter.granted.awaitNanos(left);
            }
        } catch (InterruptedException stopping) {
            if (waiter.isGranted) {
                release(waiter.caller, waiter.bytes);
            }
            throw stopping;
        } finally {
            waiters.remove(waiter);
        }
        if (!waiter.isGranted) {
            throw refusal();
        }
    }

    private ProblemException refusal() {
        refused++;
        return new ProblemException(Problem.OVERLOADED, "The requests under way need too much memory; try again soon.");
    }
}
