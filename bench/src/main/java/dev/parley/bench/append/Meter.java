package dev.parley.bench.append;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Tally;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import dev.parley.testkit.DatabaseAddress;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/**
 * Runs a load for a while, and measures one window after a lead-in.
 *
 * @param checkpoint true if each window begins with a checkpoint, because every load should pay for one checkpoint
 */
record Meter(Workbench bench, Cluster cluster, boolean checkpoint) {
    private static final Duration MAX_LEAD_IN = Duration.ofSeconds(3);
    private static final Executor OWN_THREAD =
            task -> Thread.ofPlatform().name("load").start(task);

    DiskProbe.Flush probeDisk() throws IOException {
        return bench.probeDisk();
    }

    Window window() {
        return new Window(cluster::used);
    }

    AppendReport.Window measure(String scenario, int round, AppendLoad load, Duration length)
            throws IOException, InterruptedException {
        return measure(scenario, round, load, Window.leadIn(length, MAX_LEAD_IN), length);
    }

    AppendReport.Window measure(String scenario, int round, AppendLoad load, Duration leadIn, Duration length)
            throws IOException, InterruptedException {
        DiskProbe.Flush flush = probeDisk();
        Tally tally = new Tally();
        AtomicBoolean goOn = new AtomicBoolean(true);
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> load.run(tally, goOn::get), OWN_THREAD);
        Window window = window();
        Window.Count messages = window.count(tally::done);
        try {
            Thread.sleep(leadIn);
            tally.takeLatencies();
            window.begin();
            beginCheckpoint();
            Thread.sleep(length);
            window.end();
            Histogram latencies = tally.takeLatencies();
            CpuUse.Each each = window.cpu().per(messages.grown());
            return new AppendReport.Window(
                    scenario,
                    round,
                    window.seconds(),
                    messages.grown(),
                    tally.failures(),
                    tally.takeFirstFailure(),
                    each.servers(),
                    each.database(),
                    each.load(),
                    latencies.getValueAtPercentile(50) / 1e3,
                    latencies.getValueAtPercentile(99) / 1e3,
                    flush);
        } finally {
            goOn.set(false);
            join(running);
        }
    }

    /** Begins a checkpoint without waiting for its end, because the cost of the checkpoint belongs to the window. */
    void beginCheckpoint() {
        if (!checkpoint) {
            return;
        }
        DatabaseAddress database = cluster.database();
        Thread.ofVirtual().name("checkpoint").start(() -> {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("checkpoint");
            } catch (SQLException e) {
                throw new IllegalStateException("The checkpoint of a window failed", e);
            }
        });
    }

    private static void join(CompletableFuture<Void> running) {
        try {
            running.join();
        } catch (CompletionException failed) {
            throw new IllegalStateException("A load broke off", failed.getCause());
        }
    }
}
