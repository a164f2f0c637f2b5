package dev.parley.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** What operators see of the lanes. */
final class LaneMeters {
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
