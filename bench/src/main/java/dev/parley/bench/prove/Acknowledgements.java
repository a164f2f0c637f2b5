package dev.parley.bench.prove;

import dev.parley.bench.rig.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The acknowledgements of a crowd: the time of the latest acknowledgement, and the silences between acknowledgements.
 */
public final class Acknowledgements {
    /** The length beyond which a silence is noted. Shorter silences are normal for a crowd on a busy machine. */
    private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

    private final List<Silence> silences = new ArrayList<>();
    private long count;
    private long newestStart = Long.MIN_VALUE;
    private long newest = System.nanoTime();

    /** A time without an acknowledgement, between two moments of {@link System#nanoTime()}. */
    public record Silence(long from, long until) {
        /** The part of this silence that lies between two moments. */
        public double secondsWithin(long begin, long end) {
            return Math.max(0, Math.min(until, end) - Math.max(from, begin)) / 1e9;
        }
    }

    /**
     * Notes the acknowledgement of a message or a run.
     *
     * @param startedNanos the moment at which the acknowledged attempt began
     */
    synchronized void add(long startedNanos) {
        count++;
        if (count == 1 || startedNanos - newestStart > 0) {
            newestStart = startedNanos;
        }
        long now = System.nanoTime();
        if (now - newest > SILENCE_NANOS) {
            silences.add(new Silence(newest, now));
        }
        newest = now;
        notifyAll();
    }

    public synchronized long count() {
        return count;
    }

    /** The silences of more than a second, including one that still lasts. */
    public synchronized List<Silence> silences() {
        List<Silence> all = new ArrayList<>(silences);
        long now = System.nanoTime();
        if (now - newest > SILENCE_NANOS) {
            all.add(new Silence(newest, now));
        }
        return all;
    }

    /** Waits until the count is reached; false on timeout. */
    public boolean awaitCount(long wanted, Duration limit) throws InterruptedException {
        return await(limit, () -> count >= wanted);
    }

    /** Waits for an acknowledgement of an attempt that began after a moment; false on timeout. */
    public boolean awaitStartedAfter(long nanos, Duration limit) throws InterruptedException {
        return await(limit, () -> count > 0 && newestStart - nanos > 0);
    }

    private synchronized boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        while (!condition.getAsBoolean() && !deadline.isOver()) {
            TimeUnit.NANOSECONDS.timedWait(this, deadline.left().toNanos());
        }
        return condition.getAsBoolean();
    }
}
