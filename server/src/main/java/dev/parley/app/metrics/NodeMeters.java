package dev.parley.app.metrics;

import dev.parley.nodes.ListedNode;
import dev.parley.nodes.Nodes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;

/** The nodes as metrics: their number, and the time of each node's last heartbeat. Every node reports all nodes. */
public final class NodeMeters {
    private static final Duration FRESH = Duration.ofSeconds(3);

    private final CachedReading<List<ListedNode>> nodes;
    private final MultiGauge ages;

    public NodeMeters(MeterRegistry registry, Nodes all) {
        this.nodes = new CachedReading<>(all::list, FRESH);
        Gauge.builder("parley.nodes", this, NodeMeters::present)
                .description("Nodes that share the database and are alive")
                .strongReference(true)
                .register(registry);
        this.ages = MultiGauge.builder("parley.node.heartbeat.age")
                .baseUnit("seconds")
                .description(
                        "Time since a node was last heard of, by the database's clock; for a day after it fell silent")
                .register(registry);
    }

    private double present() {
        return nodes.now()
                .map(all -> (double) all.stream()
                        .filter(node -> node.state() != ListedNode.State.SILENT)
                        .count())
                .orElse(Double.NaN);
    }

    /** Refreshes the list of nodes; called before the metrics are read. */
    public void refresh() {
        ages.register(
                nodes.now().stream()
                        .flatMap(List::stream)
                        .map(node -> MultiGauge.Row.of(
                                Tags.of(
                                        "node",
                                        node.shownName(),
                                        "id",
                                        node.id().toString()),
                                node.heartbeatAge().toMillis() / 1000.0))
                        .toList(),
                true);
    }
}
