package dev.parley.app.metrics;

import dev.parley.delivery.Deliverer;
import dev.parley.delivery.DeliveryState;
import dev.parley.log.Event;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.storage.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * The metrics of runs and deliveries: counters of this node's work, and gauges of the work that waits on all nodes,
 * read from the database on demand.
 */
public final class Figures {
    private static final List<String> OPEN_RUNS = List.of("queued", "running", "waiting");
    private static final List<String> ENDS = List.of("completed", "failed", "cancelled");
    private static final List<DeliveryState> OPEN_DELIVERIES =
            List.of(DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.UNCERTAIN, DeliveryState.DEAD);
    private static final List<DeliveryState> ENDED_DELIVERIES =
            List.of(DeliveryState.SENT, DeliveryState.UNCERTAIN, DeliveryState.DEAD);

    private final MeterRegistry registry;

    public Figures(MeterRegistry registry, Database database) {
        this.registry = registry;
        Backlog backlog = new Backlog(database);
        for (String state : OPEN_RUNS) {
            Gauge.builder("parley.runs", backlog, each -> each.count("run", state))
                    .description("Runs that are not over, on all nodes")
                    .tag("state", state)
                    .strongReference(true)
                    .register(registry);
        }
        for (DeliveryState state : OPEN_DELIVERIES) {
            Gauge.builder("parley.deliveries", backlog, each -> each.count("delivery", state.wire()))
                    .description("Replies to other platforms that did not arrive, or not yet, on all nodes")
                    .tag("state", state.wire())
                    .strongReference(true)
                    .register(registry);
        }
        Gauge.builder("parley.runs.oldest.queued", backlog, each -> each.oldest("run"))
                .baseUnit("seconds")
                .description("For how long the oldest queued run has been waiting for a node; 0 if none is")
                .strongReference(true)
                .register(registry);
        Gauge.builder("parley.deliveries.oldest.due", backlog, each -> each.oldest("delivery"))
                .baseUnit("seconds")
                .description("For how long the oldest reply that is due has been waiting to be sent; 0 if none is")
                .strongReference(true)
                .register(registry);
        // Registered from the start, so that a graph shows zero instead of a gap.
        ENDS.forEach(state -> runEnded(state, 0));
        ENDED_DELIVERIES.forEach(state -> count(state, 0));
    }

    /** Shows deliveries that wait although the node has free slots. */
    public void watch(Deliverer deliverer) {
        Gauge.builder("parley.deliveries.over.share", deliverer, Deliverer::overShare)
                .description("Webhooks and places of platforms that are due and wait for others of the same owner or"
                        + " workspace on this node")
                .register(registry);
    }

    /** Receives every commit of this node. */
    public void committed(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Announced announced && announced.type().equals(RunUpdate.TYPE)) {
                String state = RunUpdate.stateIn(announced);
                if (ENDS.contains(state)) {
                    runEnded(state, 1);
                }
            }
        }
    }

    public void deliveryEnded(DeliveryState state) {
        count(state, 1);
    }

    private void runEnded(String state, int amount) {
        registry.counter("parley.runs.ended", "state", state).increment(amount);
    }

    private void count(DeliveryState state, int amount) {
        registry.counter("parley.deliveries.ended", "state", state.wire()).increment(amount);
    }
}
