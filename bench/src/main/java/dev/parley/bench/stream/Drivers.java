package dev.parley.bench.stream;

import dev.parley.bench.rig.AnswerScan;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The agents: each says a token at fixed times, whatever became of those before, and posts what is due as soon as its
 * last post was answered. They begin when they are told to, not all at the same moment, and end their runs when closed.
 */
final class Drivers implements AutoCloseable {
    private static final int MAX_ANSWER_BYTES = 16 * 1024;
    private static final int MAX_CONCURRENT = 500;
    private static final long MAX_PARK = TimeUnit.MILLISECONDS.toNanos(50);

    private final Peer peer;
    private final long intervalNanos;
    private final CountDownLatch opened;
    private final CountDownLatch begin = new CountDownLatch(1);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    Drivers(Peer peer, int runs, int rate) {
        this.peer = peer;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        this.opened = new CountDownLatch(runs);
        for (int i = 0; i < runs; i++) {
            int run = i;
            long phase = intervalNanos * run / runs;
            threads.add(Thread.ofVirtual().name("driver-" + run).start(() -> drive(run, phase)));
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
        byte[] answer = new byte[MAX_ANSWER_BYTES];
        try (SocketChannel connection = SocketChannel.open(peer.address())) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            exchange(connection, peer.open(run), answer);
            opened.countDown();
            begin.await();
            long start = System.nanoTime() + phase;
            long said = 0;
            while (!closed) {
                List<String> due = due(start, said);
                if (due.isEmpty()) {
                    LockSupport.parkNanos(Math.min(MAX_PARK, start + said * intervalNanos - System.nanoTime()));
                } else {
                    exchange(connection, peer.post(run, said, due), answer);
                    said += due.size();
                }
            }
            exchange(connection, peer.end(run, said), answer);
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> due(long start, long said) {
        List<String> due = new ArrayList<>(2);
        long now = System.nanoTime();
        for (long at = start + said * intervalNanos;
                at - now <= 0 && due.size() < MAX_CONCURRENT;
                at += intervalNanos) {
            due.add(Stamp.of(at));
        }
        return due;
    }

    private static void exchange(SocketChannel connection, byte[] request, byte[] answer) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request);
        while (bytes.hasRemaining()) {
            connection.write(bytes);
        }
        ByteBuffer into = ByteBuffer.wrap(answer);
        int whole = -1;
        while (whole < 0 || into.position() < whole) {
            if (connection.read(into) < 0) {
                throw new IOException("a server closed a driver's connection");
            }
            whole = AnswerScan.wholeLength(answer, into.position());
        }
        if (AnswerScan.status(answer) / 100 != 2) {
            throw new IOException("a post was answered " + AnswerScan.status(answer));
        }
    }

    @Override
    public void close() {
        closed = true;
        begin.countDown();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
