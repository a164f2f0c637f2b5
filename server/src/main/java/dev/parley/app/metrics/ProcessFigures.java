package dev.parley.app.metrics;

import dev.parley.storage.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.nio.file.Path;

/** The metrics of the process: version, heap, processor, open files, disk and database connections. */
public final class ProcessFigures implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public ProcessFigures(MeterRegistry registry, Database database, Path data, String version) {
        Gauge.builder("parley.build.info", () -> 1)
                .description("Always 1; its label has the version")
                .tag("version", version)
                .register(registry);
        Gauge.builder("parley.pool.size", database, Database::poolSize)
                .description("Connections that the pool may have")
                .strongReference(true)
                .register(registry);
        Gauge.builder("parley.pool.in.use", database, Database::connectionsInUse)
                .description("Connections of the pool that are used right now")
                .strongReference(true)
                .register(registry);
        Gauge.builder("parley.pool.waiting", database, Database::waitingForConnection)
                .description("Callers that wait for a connection of the pool")
                .strongReference(true)
                .register(registry);
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new DiskSpaceMetrics(data.toAbsolutePath().toFile()).bindTo(registry);
    }

    /** Stops listening to the JVM's collector; all other metrics are read on demand. */
    @Override
    public void close() {
        collections.close();
    }
}
