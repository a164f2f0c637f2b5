package dev.parley.bench.fanout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Connections that view channels, all read by one thread, so that the generator takes little from what it measures. */
final class Viewers implements AutoCloseable {
    private static final byte[] EVENT = {'\n', 'd', 'a', 't', 'a', ':', ' '};
    private static final int READ_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 100;

    private final Selector selector;
    private final CountDownLatch opening;
    private final @Nullable Arrivals arrivals;
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final Thread reader;
    private volatile boolean closed;

    /** One connection: whether it is open, how much of {@link #EVENT} was just seen, how many events came. */
    private static final class Viewer {
        private boolean open;
        private int matched;
        private int events;
    }

    /** @param count how many; they spread evenly over the channels */
    Viewers(Peer peer, int channels, int count) throws IOException {
        this.selector = Selector.open();
        this.opening = new CountDownLatch(count);
        this.arrivals = channels == 1 ? new Arrivals(count) : null;
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(peer.address());
            channel.write(ByteBuffer.wrap(peer.view(i % channels)));
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

    long delivered() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The viewers broke off: " + broken);
        }
        return delivered.get();
    }

    /** Times between the first and the last viewer of an event, since the last call; empty with several channels. */
    Histogram takeSkew() {
        return arrivals == null ? new Histogram(3) : arrivals.takeSkew();
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
            // "HTTP/1.1 200": servers send the head at once, ahead of everything else.
            if (limit < 12 || bytes[9] != '2') {
                throw new IllegalStateException("a viewer was refused");
            }
            viewer.open = true;
            opening.countDown();
        }
        long now = System.nanoTime();
        int before = viewer.events;
        int matched = viewer.matched;
        for (int i = 0; i < limit; i++) {
            byte next = bytes[i];
            matched = next == EVENT[matched] ? matched + 1 : next == EVENT[0] ? 1 : 0;
            if (matched == EVENT.length) {
                matched = 0;
                if (arrivals != null) {
                    arrivals.arrived(viewer.events, now);
                }
                viewer.events++;
            }
        }
        viewer.matched = matched;
        delivered.addAndGet(viewer.events - before);
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
