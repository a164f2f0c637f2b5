package dev.parley.bench.rig;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Requests of one kind and their outcomes. The requests are due at a steady rate, independent of earlier outcomes. */
public final class Demand {
    /** Creates the next request to a node. */
    @FunctionalInterface
    public interface Requests {
        /** @param dueNanos the due time of the request, by {@link System#nanoTime} */
        byte[] next(int node, long dueNanos);
    }

    private final int expectedStatus;
    private final Requests requests;
    private final LongAdder due = new LongAdder();
    private final Tally tally = new Tally();
    private volatile long intervalNanos;
    private long nextNanos;

    public Demand(int expectedStatus, Requests requests) {
        this.expectedStatus = expectedStatus;
        this.requests = requests;
    }

    /** Sets the number of requests per second from now on; 0 for none. */
    public void rate(int perSecond) {
        intervalNanos = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /**
     * Removes and returns the due time of the next request that is due by now, or {@link Long#MAX_VALUE} if no request
     * is due. Only the loop calls this method.
     */
    long takeDue(long now) {
        long interval = intervalNanos;
        if (interval == 0) {
            nextNanos = 0;
            return Long.MAX_VALUE;
        }
        if (nextNanos == 0) {
            nextNanos = now;
        }
        if (nextNanos - now > 0) {
            return Long.MAX_VALUE;
        }
        long taken = nextNanos;
        nextNanos += interval;
        due.increment();
        return taken;
    }

    byte[] request(int node, long dueNanos) {
        return requests.next(node, dueNanos);
    }

    void answered(int status, long dueNanos, String answer) {
        if (status == expectedStatus) {
            tally.done(dueNanos);
        } else {
            tally.failed(answer);
        }
    }

    public long due() {
        return due.sum();
    }

    /** The outcomes; times run from a request's due time to its answer. */
    public Tally tally() {
        return tally;
    }

    /** The number of due requests that are neither done nor failed. */
    public long waiting() {
        return due.sum() - tally.done() - tally.failures();
    }
}
