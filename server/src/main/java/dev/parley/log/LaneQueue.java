package dev.parley.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The first-in-first-out queue of a lane, bounded in commands and bytes. The bounds include commands of parked threads.
 */
final class LaneQueue {
    private final int maxCommands;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<Attempt> waiting = new ArrayDeque<>();
    private long bytes;
    private int heldCommands;
    private int parkedThreads;
    private boolean closed;

    LaneQueue(int maxCommands, long maxBytes) {
        this.maxCommands = maxCommands;
        this.maxBytes = maxBytes;
    }

    /** The result of an offer. */
    enum Offer {
        TAKEN,
        FULL,
        CLOSED
    }

    Offer offer(Attempt attempt) {
        lock.lock();
        try {
            if (closed) {
                return Offer.CLOSED;
            }
            if (waiting.size() + heldCommands >= maxCommands || bytes + attempt.weight() > maxBytes) {
                return Offer.FULL;
            }
            waiting.addLast(attempt);
            bytes += attempt.weight();
            filled.signal();
            return Offer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts attempts back to the front, in their order. The bounds do not apply, because the queue accepted them before.
     */
    void putBack(List<Attempt> attempts) {
        lock.lock();
        try {
            for (Attempt attempt : attempts.reversed()) {
                waiting.addFirst(attempt);
                bytes += attempt.weight();
            }
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Counts an attempt that waits in a parked thread, so that the bounds include it. */
    void heldBack(Attempt attempt) {
        lock.lock();
        try {
            heldCommands++;
            bytes += attempt.weight();
        } finally {
            lock.unlock();
        }
    }

    void release(Attempt attempt) {
        lock.lock();
        try {
            heldCommands--;
            bytes -= attempt.weight();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a parked thread. Its attempts may come back, so the queue does not count as drained until {@link
     * #unparked()}.
     */
    void parked() {
        lock.lock();
        try {
            parkedThreads++;
        } finally {
            lock.unlock();
        }
    }

    void unparked() {
        lock.lock();
        try {
            parkedThreads--;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next batch, and waits for its first attempt. The batch is empty only if the queue is closed and
     * drained.
     */
    List<Attempt> take(int batchCommands, long batchBytes) throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty()) {
                if (closed && parkedThreads == 0) {
                    return List.of();
                }
                filled.await();
            }
            List<Attempt> batch = new ArrayList<>(Math.min(waiting.size(), batchCommands));
            long size = 0;
            while (!waiting.isEmpty() && batch.size() < batchCommands) {
                Attempt next = waiting.getFirst();
                size += next.weight();
                // The queue has accepted the first attempt, so a batch contains it however large it is.
                if (!batch.isEmpty() && size > batchBytes) {
                    break;
                }
                batch.add(waiting.removeFirst());
                bytes -= next.weight();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
