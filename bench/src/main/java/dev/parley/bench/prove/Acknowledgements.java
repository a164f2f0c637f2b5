package dev.parley.bench.prove;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Knows when the server last took a message in, to tell from when on it serves again. */
final class Acknowledgements {
    private long count;
    private long newestStart = Long.MIN_VALUE;

    /** A message was acknowledged whose last attempt began at this moment. */
    synchronized void add(long startedNanos) {
        count++;
        if (count == 1 || startedNanos - newestStart > 0) {
            newestStart = startedNanos;
        }
        notifyAll();
    }

    synchronized long count() {
        return count;
    }

    /** Waits until the count has been reached; false if it was not in time. */
    synchronized boolean awaitCount(long wanted, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (count < wanted && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline - System.nanoTime()));
        }
        return count >= wanted;
    }

    /** Waits for an acknowledgement of an attempt that began after a moment; false if none came in time. */
    synchronized boolean awaitStartedAfter(long nanos, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!startedAfter(nanos) && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline - System.nanoTime()));
        }
        return startedAfter(nanos);
    }

    private boolean startedAfter(long nanos) {
        return count > 0 && newestStart - nanos > 0;
    }
}
