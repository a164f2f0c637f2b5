package dev.parley.bench.rig;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Counts and times the outcomes of one kind of work. The figures can be read while the work goes on. */
public final class Tally {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder micros = new Recorder(3);
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    /**
     * Notes a success.
     *
     * @param startedNanos the {@link System#nanoTime} at which the work began or was due
     */
    public void done(long startedNanos) {
        done.increment();
        micros.recordValue(Math.max(0, (System.nanoTime() - startedNanos) / 1_000));
    }

    public void failed(String why) {
        failed.increment();
        firstFailure.compareAndSet(null, why);
    }

    /** The number of successes so far. */
    public long done() {
        return done.sum();
    }

    public long failures() {
        return failed.sum();
    }

    /** The first failure since the last call. */
    public @Nullable String takeFirstFailure() {
        return firstFailure.getAndSet(null);
    }

    /** The times of the successes since the last call, in microseconds. */
    public Histogram takeLatencies() {
        return micros.getIntervalHistogram();
    }
}
