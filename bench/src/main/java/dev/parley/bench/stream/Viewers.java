package dev.parley.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** One viewer per run, all read by one thread, which notes how long each token was on its way. */
final class Viewers implements AutoCloseable {
    private static final int READ_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 100;
    private static final int OK_AT = "HTTP/1.1 ".length();

    private final Selector selector;
    private final CountDownLatch opening;
    private final Recorder micros = new Recorder(3);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final Thread reader;
    private volatile boolean closed;

    private static final class Viewer {
        private final Stamp stamp = new Stamp();
        private boolean open;
    }

    Viewers(Peer peer, int runs) throws IOException {
        this.selector = Selector.open();
        this.opening = new CountDownLatch(runs);
        for (int run = 0; run < runs; run++) {
            SocketChannel channel = SocketChannel.open(peer.address());
            channel.write(ByteBuffer.wrap(peer.view(run)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Viewer());
        }
        this.reader = Thread.ofPlatform().name("viewers").start(this::read);
    }

    void awaitOpen(Duration limit) throws InterruptedException {
        if (!opening.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(opening.getCount() + " viewers got no answer within " + limit);
        }
    }

    /** Times of the tokens that have come since the last call, in microseconds. */
    Histogram take() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The viewers broke off: " + broken);
        }
        return micros.getIntervalHistogram();
    }

    private void read() {
        try {
            while (!closed) {
                selector.select(POLL_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    buffer.clear();
                    if (((SocketChannel) key.channel()).read(buffer) < 0) {
                        throw new IOException("a server closed a viewer's connection");
                    }
                    take((Viewer) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException e) {
            failure.set(e.toString());
        }
    }

    private void take(Viewer viewer) {
        byte[] bytes = buffer.array();
        int limit = buffer.position();
        if (!viewer.open && limit > 0) {
            if (limit <= OK_AT || bytes[OK_AT] != '2') {
                throw new IllegalStateException("a viewer was refused");
            }
            viewer.open = true;
            opening.countDown();
        }
        long now = System.nanoTime();
        for (int i = 0; i < limit; i++) {
            if (viewer.stamp.take(bytes[i])) {
                micros.recordValue(Math.max(0, (now - viewer.stamp.nanos()) / 1_000));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            reader.join();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
