package dev.parley.bench.fanout;

import dev.parley.bench.rig.AnswerScan;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Posts to the channels in turn at a fixed rate, over some connections, from when it is made until it is closed. */
final class Posters implements AutoCloseable {
    /** So many that a slow disk does not slow the posts down, and so few that none is idle until the server closes it. */
    private static final int POSTS_PER_CONNECTION = 4;

    private static final int MAX_CONNECTIONS = 64;

    private static final int MAX_ANSWER_BYTES = 64 * 1024;
    private static final long POLL_MILLIS = 50;

    private final Peer peer;
    private final int channels;
    private final long intervalNanos;
    private final int connections;
    private final BlockingQueue<Integer> due;
    private final AtomicLong posted = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    Posters(Peer peer, int channels, int perSecond) {
        this.peer = peer;
        this.channels = channels;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.connections = Math.clamp(perSecond / POSTS_PER_CONNECTION, 2, MAX_CONNECTIONS);
        this.due = new ArrayBlockingQueue<>(connections);
        threads.add(Thread.ofPlatform().name("pace").start(() -> guarded(this::pace)));
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.ofVirtual().name("poster-" + i).start(() -> guarded(this::post)));
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
            // What is late is not made up for in a burst longer than the queue.
            next = Math.max(next + intervalNanos, System.nanoTime() - connections * intervalNanos);
            for (long wait = next - System.nanoTime(); wait > 0 && !closed; wait = next - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(wait, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)));
            }
        }
    }

    private void post() throws IOException, InterruptedException {
        IntFunction<ByteBuffer> requests = peer.posts();
        byte[] answer = new byte[MAX_ANSWER_BYTES];
        try (SocketChannel connection = SocketChannel.open(peer.address())) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            while (!closed) {
                Integer channel = due.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (channel != null) {
                    ByteBuffer request = requests.apply(channel);
                    while (request.hasRemaining()) {
                        connection.write(request);
                    }
                    awaitAnswer(connection.socket().getInputStream(), answer);
                    posted.incrementAndGet();
                }
            }
        }
    }

    private static void awaitAnswer(InputStream in, byte[] answer) throws IOException {
        int limit = 0;
        int whole = -1;
        while (whole < 0 || limit < whole) {
            int read = in.read(answer, limit, answer.length - limit);
            if (read < 0) {
                throw new IOException("a server closed a poster's connection");
            }
            limit += read;
            whole = AnswerScan.wholeLength(answer, limit);
        }
        if (AnswerScan.status(answer) / 100 != 2) {
            throw new IOException("a post was answered " + AnswerScan.status(answer));
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
