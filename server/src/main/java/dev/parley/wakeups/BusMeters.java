package dev.parley.wakeups;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The metrics of the bus. */
final class BusMeters {
    private final Timer pulse;
    private final Counter sent;
    private final Counter received;
    private final Counter dropped;

    BusMeters(MeterRegistry registry, Bus bus) {
        pulse = Timer.builder("parley.wakeups")
                .description("From a node over the bus back to itself, measured about once a second")
                .register(registry);
        sent = counter(registry, "parley.wakeups.sent", "Hints given to the bus, each for one thread");
        received = counter(registry, "parley.wakeups.received", "Hints of other nodes that arrived");
        dropped = counter(registry, "parley.wakeups.dropped", "Hints that could not be sent; other nodes poll instead");
        Gauge.builder("parley.wakeups.late", bus, each -> each.isLate() ? 1 : 0)
                .description("1 while the bus is gone or slower than polling")
                .register(registry);
        Gauge.builder("parley.wakeups.peers", bus, Bus::peers)
                .description("Other nodes that were heard of lately")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    void cameBack(Duration after) {
        pulse.record(after);
    }

    void sent(int hints) {
        sent.increment(hints);
    }

    void received(int hints) {
        received.increment(hints);
    }

    void dropped(int hints) {
        dropped.increment(hints);
    }
}
