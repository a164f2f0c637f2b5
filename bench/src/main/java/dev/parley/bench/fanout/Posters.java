package dev.parley.bench.fanout;

import dev.parley.bench.rig.PostConnection;
import dev.parley.bench.rig.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Posts to the channels in turn at a fixed rate over a few connections, from construction to close. */
final class Posters implements AutoCloseable {
    /**
     * The posts per second on one connection. The number is so low that a slow disk does not slow the posts down, and
     * so high that the server closes no connection as idle.
     */
    private static final int POSTS_PER_CONNECTION = 4;

    private static final int MAX_CONNECTIONS = 64;
    private static final long POLL_MILLIS = 50;

    private final FanoutPeer peer;
    private final int channels;
    private final long intervalNanos;
    private final int connections;
    private final BlockingQueue<Integer> due;
    private final AtomicLong posted = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final Workers threads = new Workers();
    private volatile boolean closed;

    Posters(FanoutPeer peer, int channels, int perSecond) {
        this.peer = peer;
        this.channels = channels;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.connections = Math.clamp(perSecond / POSTS_PER_CONNECTION, 2, MAX_CONNECTIONS);
        this.due = new ArrayBlockingQueue<>(connections);
        threads.start(Thread.ofPlatform().name("pace"), () -> guarded(this::pace));
        for (int i = 0; i < connections; i++) {
            threads.start("poster-" + i, () -> guarded(this::post));
        }
    }

    long posted() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The posters broke off: " + broken);
        }
        return posted.get();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void guarded(Work work) {
        try {
            work.run();
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (!closed) {
                failure.set(e.toString());
            }
        }
    }

    private void pace() throws InterruptedException {
        long next = System.nanoTime();
        for (int i = 0; !closed; i++) {
            boolean taken = false;
            while (!taken && !closed) {
                taken = due.offer(i % channels, POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            // After a delay, the missed posts follow in a burst of at most one post per connection.
            next = Math.max(next + intervalNanos, System.nanoTime() - connections * intervalNanos);
            for (long wait = next - System.nanoTime(); wait > 0 && !closed; wait = next - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(wait, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)));
            }
        }
    }

    private void post() throws IOException, InterruptedException {
        IntFunction<ByteBuffer> requests = peer.posts().get();
        try (PostConnection connection = new PostConnection(peer.address())) {
            while (!closed) {
                Integer channel = due.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (channel != null) {
                    connection.exchange(requests.apply(channel));
                    posted.incrementAndGet();
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.joinQuietly();
    }
}
