package dev.parley.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The metrics of the lanes. */
final class LaneMeters {
    /**
     * The bounds of the histogram of transaction times. A commit takes about as long as the disk's flush: from a
     * fraction of a millisecond to the timeout of a statement.
     */
    private static final Duration[] BOUNDS = LongStream.of(1, 2, 5, 10, 20, 50, 100, 250, 1_000, 5_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final DistributionSummary batchSize;
    private final Timer transaction;
    private final Counter entries;
    private final Counter reconnects;

    LaneMeters(MeterRegistry registry) {
        batchSize = DistributionSummary.builder("parley.lane.batch")
                .description("Commands per transaction")
                .register(registry);
        transaction = Timer.builder("parley.lane.transaction")
                .description("Lock to commit")
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
        entries = Counter.builder("parley.log.entries")
                .description("Entries appended")
                .register(registry);
        reconnects = Counter.builder("parley.lane.reconnects")
                .description("Connections a lane lost")
                .register(registry);
    }

    void committed(int commands, int newEntries, long nanos) {
        batchSize.record(commands);
        transaction.record(nanos, TimeUnit.NANOSECONDS);
        entries.increment(newEntries);
    }

    void reconnected() {
        reconnects.increment();
    }
}
