package dev.parley.bench.prove.hostile;

import dev.parley.bench.rig.Latencies;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** Counts and times the requests of honest callers in one phase. */
final class HonestFigures {
    private static final int SHOWN = 10;

    private final Recorder micros = new Recorder(3);
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    void succeeded(long nanos) {
        succeeded.increment();
        micros.recordValue(nanos / 1_000);
    }

    void retried() {
        retried.increment();
    }

    void failed(String failure) {
        failed.increment();
        if (failures.size() < SHOWN) {
            failures.add(failure.substring(0, Math.min(failure.length(), 300)));
        }
    }

    /** @param failures the first failures in words */
    record Phase(long succeeded, long retried, long failed, Latencies millis, List<String> failures) {}

    Phase phase() {
        return new Phase(
                succeeded.sum(),
                retried.sum(),
                failed.sum(),
                Latencies.ofMicros(micros.getIntervalHistogram()),
                List.copyOf(failures));
    }
}
