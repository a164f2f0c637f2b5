package dev.parley.bench.append;

import dev.parley.bench.rig.CpuTime;
import dev.parley.bench.rig.DiskProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/** Runs a load for a while and measures the middle of it. */
final class Meter {
    private static final Duration FLUSH_PROBE = Duration.ofMillis(300);
    private static final Executor OWN_THREAD =
            task -> Thread.ofPlatform().name("load").start(task);

    private final AppendRig rig;
    private final boolean checkpoint;

    Meter(AppendRig rig, boolean checkpoint) {
        this.rig = rig;
        this.checkpoint = checkpoint;
    }

    /** What everything has used and done at one moment. */
    record Sample(long nanos, long messages, Duration server, Duration postgres, Duration client) {
        double secondsSince(Sample before) {
            return (nanos - before.nanos) / 1e9;
        }

        double serverMicrosSince(Sample before) {
            return perMessage(before, server.minus(before.server));
        }

        double postgresMicrosSince(Sample before) {
            return perMessage(before, postgres.minus(before.postgres));
        }

        double clientMicrosSince(Sample before) {
            return perMessage(before, client.minus(before.client));
        }

        private double perMessage(Sample before, Duration used) {
            return used.toNanos() / 1e3 / Math.max(1, messages - before.messages);
        }
    }

    Sample sample(long messages) {
        return new Sample(
                System.nanoTime(),
                messages,
                CpuTime.ofProcess(rig.serverPid()),
                CpuTime.ofFamily(rig.postgresPid()),
                CpuTime.ofThisProcess());
    }

    DiskProbe.Flush probeDisk() {
        try {
            return DiskProbe.measure(rig.folder(), FLUSH_PROBE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Measured measure(String scenario, int round, Load load, Duration leadIn, Duration window)
            throws InterruptedException {
        DiskProbe.Flush flush = probeDisk();
        Progress progress = new Progress();
        AtomicBoolean goOn = new AtomicBoolean(true);
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> load.run(progress, goOn::get), OWN_THREAD);
        try {
            Thread.sleep(leadIn);
            progress.takeLatencies();
            Sample before = sample(progress.count());
            beginCheckpoint();
            Thread.sleep(window);
            Sample after = sample(progress.count());
            Histogram latencies = progress.takeLatencies();
            return new Measured(
                    scenario,
                    round,
                    after.secondsSince(before),
                    after.messages() - before.messages(),
                    progress.failures(),
                    progress.firstFailure(),
                    after.serverMicrosSince(before),
                    after.postgresMicrosSince(before),
                    after.clientMicrosSince(before),
                    latencies.getValueAtPercentile(50) / 1e3,
                    latencies.getValueAtPercentile(99) / 1e3,
                    flush);
        } finally {
            goOn.set(false);
            join(running);
        }
    }

    /** Without waiting for its end: it belongs to the window. */
    void beginCheckpoint() {
        if (!checkpoint) {
            return;
        }
        Thread.ofVirtual().name("checkpoint").start(() -> {
            try {
                rig.checkpoint();
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
