package dev.parley.bench.append;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** What a load has done so far; read while it runs. */
final class Progress {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder micros = new Recorder(3);
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    void done(long startedNanos) {
        done.increment();
        micros.recordValue(Math.max(0, (System.nanoTime() - startedNanos) / 1_000));
    }

    void failed(String why) {
        failed.increment();
        firstFailure.compareAndSet(null, why);
    }

    long count() {
        return done.sum();
    }

    long failures() {
        return failed.sum();
    }

    @Nullable
    String firstFailure() {
        return firstFailure.get();
    }

    /** The latencies since the last call, in microseconds. */
    Histogram takeLatencies() {
        return micros.getIntervalHistogram();
    }
}
