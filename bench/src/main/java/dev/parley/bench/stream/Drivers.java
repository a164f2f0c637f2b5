package dev.parley.bench.stream;

import dev.parley.bench.rig.PostConnection;
import dev.parley.bench.rig.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The agents that drive the runs. Each agent produces a token at fixed times, regardless of earlier answers, and posts
 * all due tokens as soon as its last post was answered. The agents begin on {@link #begin} at staggered moments, and
 * end their runs on {@link #close}.
 */
final class Drivers implements AutoCloseable {
    private static final int MAX_CONCURRENT = 500;
    private static final long MAX_PARK = TimeUnit.MILLISECONDS.toNanos(50);

    private final StreamPeer peer;
    private final long intervalNanos;
    private final CountDownLatch opened;
    private final CountDownLatch begin = new CountDownLatch(1);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final Workers threads = new Workers();
    private volatile boolean closed;

    Drivers(StreamPeer peer, int runs, int rate) {
        this.peer = peer;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        this.opened = new CountDownLatch(runs);
        for (int i = 0; i < runs; i++) {
            int run = i;
            long phase = intervalNanos * run / runs;
            threads.start("driver-" + run, () -> drive(run, phase));
        }
    }

    void awaitOpen(Duration limit) throws InterruptedException {
        if (!opened.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("Not all runs were opened within " + limit + ": " + failure.get());
        }
    }

    void begin() {
        begin.countDown();
    }

    void check() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The drivers broke off: " + broken);
        }
    }

    private void drive(int run, long phase) {
        try (PostConnection connection = new PostConnection(peer.address())) {
            connection.exchange(ByteBuffer.wrap(peer.requests().open(run)));
            opened.countDown();
            begin.await();
            long start = System.nanoTime() + phase;
            long sent = 0;
            while (!closed) {
                List<String> due = due(start, sent);
                if (due.isEmpty()) {
                    LockSupport.parkNanos(Math.min(MAX_PARK, start + sent * intervalNanos - System.nanoTime()));
                } else {
                    connection.exchange(ByteBuffer.wrap(peer.requests().post(run, sent, due)));
                    sent += due.size();
                }
            }
            connection.exchange(ByteBuffer.wrap(peer.requests().end(run, sent)));
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> due(long start, long sent) {
        List<String> due = new ArrayList<>(2);
        long now = System.nanoTime();
        for (long at = start + sent * intervalNanos;
                at - now <= 0 && due.size() < MAX_CONCURRENT;
                at += intervalNanos) {
            due.add(Stamp.of(at));
        }
        return due;
    }

    @Override
    public void close() {
        closed = true;
        begin.countDown();
        threads.joinQuietly();
    }
}
