package dev.parley.storage;

import dev.parley.limits.ActingCaller;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Grants the connections of the pool in turns. A free connection goes to the waiting callers in rotation, and to the
 * Java threads of one caller in the order of their arrival. So a caller with many requests delays another caller by one
 * turn.
 */
final class ConnectionTurns {
    private final int connections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allFree = lock.newCondition();
    /** The waiters by caller. The first caller has the next turn. */
    private final Map<Object, Deque<Waiter>> waiting = new LinkedHashMap<>();

    private int free;
    private boolean closed;

    private static final class Waiter {
        final Condition granted;
        boolean isGranted;

        Waiter(Condition granted) {
            this.granted = granted;
        }
    }

    ConnectionTurns(int connections) {
        this.connections = connections;
        this.free = connections;
    }

    /** Waits for a turn; false on a timeout. After a close it always returns true. */
    boolean take(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (closed || free > 0) {
                free--;
                return true;
            }
            return await(ActingCaller.current(), atMost.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private boolean await(Object caller, long nanos) throws InterruptedException {
        Waiter waiter = new Waiter(lock.newCondition());
        waiting.computeIfAbsent(caller, who -> new ArrayDeque<>()).addLast(waiter);
        long left = nanos;
        try {
            while (!waiter.isGranted && left > 0) {
                left = waiter.granted.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            if (waiter.isGranted) {
                giveBack();
            }
            throw interrupted;
        } finally {
            if (!waiter.isGranted) {
                forget(caller, waiter);
            }
        }
        return waiter.isGranted;
    }

    private void forget(Object caller, Waiter waiter) {
        Deque<Waiter> queue = waiting.get(caller);
        if (queue != null && queue.remove(waiter) && queue.isEmpty()) {
            waiting.remove(caller);
        }
    }

    void giveBack() {
        lock.lock();
        try {
            free++;
            if (free > 0) {
                grantNext();
            }
            if (free == connections) {
                allFree.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void grantNext() {
        Iterator<Map.Entry<Object, Deque<Waiter>>> callers = waiting.entrySet().iterator();
        if (!callers.hasNext()) {
            return;
        }
        Map.Entry<Object, Deque<Waiter>> next = callers.next();
        Object caller = next.getKey();
        Deque<Waiter> queue = next.getValue();
        callers.remove();
        Waiter waiter = queue.removeFirst();
        if (!queue.isEmpty()) {
            // Moves the caller to the end.
            waiting.put(caller, queue);
        }
        free--;
        waiter.isGranted = true;
        waiter.granted.signal();
    }

    int inUse() {
        lock.lock();
        try {
            return Math.max(0, connections - free);
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all connections are free; false on a timeout. */
    boolean awaitAllFree(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = atMost.toNanos();
            while (free < connections && left > 0) {
                left = allFree.awaitNanos(left);
            }
            return free >= connections;
        } finally {
            lock.unlock();
        }
    }

    /** Releases all present and later waiters. */
    void close() {
        lock.lock();
        try {
            closed = true;
            while (!waiting.isEmpty()) {
                grantNext();
            }
        } finally {
            lock.unlock();
        }
    }
}
