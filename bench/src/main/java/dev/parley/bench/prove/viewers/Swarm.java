package dev.parley.bench.prove.viewers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Thousands of viewers on one thread of their own. Whoever is cut off comes back at another node after what it saw last. */
final class Swarm implements AutoCloseable {
    private static final int READ_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 50;
    private static final int MAX_PAUSE_MILLIS = 1_000;
    private static final int CONNECTS_AT_ONCE = 100;
    private static final int OK = 200;
    /** A stream says something every 15 seconds. */
    private static final long SILENT_NANOS = Duration.ofSeconds(25).toNanos();

    private final Selector selector;
    private final List<Viewer> viewers;
    private final int nodes;
    private final IntFunction<InetSocketAddress> addresses;
    private final String token;
    private final Deque<Viewer> away = new ArrayDeque<>();
    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final Thread reader;
    private volatile boolean closed;
    private volatile long open;

    /** @param addresses where each node listens now, by its index */
    Swarm(List<Viewer> viewers, int nodes, IntFunction<InetSocketAddress> addresses, String token) throws IOException {
        this.selector = Selector.open();
        this.viewers = List.copyOf(viewers);
        this.nodes = nodes;
        this.addresses = addresses;
        this.token = token;
        away.addAll(viewers);
        this.reader = Thread.ofPlatform().name("swarm").start(this::work);
    }

    /** How many are connected and were answered. */
    long open() {
        return open;
    }

    private void work() {
        try {
            while (!closed) {
                connectSome();
                selector.select(POLL_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    advance(key);
                }
                selector.selectedKeys().clear();
                look();
            }
        } catch (IOException | RuntimeException bug) {
            fail("the viewers broke off: " + bug);
        }
    }

    private void connectSome() throws IOException {
        long now = System.nanoTime();
        for (int i = Math.min(CONNECTS_AT_ONCE, away.size()); i > 0; i--) {
            Viewer viewer = away.pop();
            if (viewer.isDue(now)) {
                connect(viewer, now);
            } else {
                away.add(viewer);
            }
        }
    }

    private void connect(Viewer viewer, long now) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        viewer.connecting(now);
        try {
            // On one machine a connection may be there at once, and then nobody says so later.
            if (channel.connect(addresses.apply(viewer.node()))) {
                ask(viewer, channel, channel.register(selector, SelectionKey.OP_READ, viewer));
            } else {
                channel.register(selector, SelectionKey.OP_CONNECT, viewer);
            }
        } catch (IOException refused) {
            channel.close();
            leave(viewer, "refused");
        }
    }

    private void advance(SelectionKey key) throws IOException {
        Viewer viewer = (Viewer) key.attachment();
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                ask(viewer, channel, key);
            } else if (key.isReadable()) {
                read(viewer, channel);
            }
        } catch (IOException cut) {
            channel.close();
            leave(viewer, "cut off");
        }
    }

    private void ask(Viewer viewer, SocketChannel channel, SelectionKey key) throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        // A request of a few hundred bytes fits into the buffer of a new connection.
        channel.write(ByteBuffer.wrap(request(viewer)));
    }

    private byte[] request(Viewer viewer) {
        return ("GET /api/v1/chat/threads/" + viewer.thread() + "/events/stream HTTP/1.1\r\nHost: parley\r\n"
                        + "Authorization: Bearer " + token + "\r\nLast-Event-ID: " + viewer.lastEventId() + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private void read(Viewer viewer, SocketChannel channel) throws IOException {
        buffer.clear();
        if (channel.read(buffer) < 0) {
            throw new IOException("ended");
        }
        viewer.heard(System.nanoTime());
        viewer.scan().take(buffer.flip());
        int status = viewer.scan().status();
        if (status != 0 && status != OK) {
            if (status < 500) {
                fail("a viewer of " + viewer.thread() + " was answered " + status + " after " + viewer.lastEventId());
            }
            throw new IOException("refused with " + status);
        }
    }

    /** Counts those that are open, and gives up on connections that are as silent as none should be. */
    private void look() throws IOException {
        long before = System.nanoTime() - SILENT_NANOS;
        long counted = 0;
        for (SelectionKey key : selector.keys()) {
            Viewer viewer = (Viewer) key.attachment();
            if (key.isValid() && viewer.isSilentSince(before)) {
                key.channel().close();
                leave(viewer, "silent");
            } else if (key.isValid() && viewer.scan().status() == OK) {
                counted++;
            }
        }
        open = counted;
    }

    private void leave(Viewer viewer, String why) {
        synchronized (answers) {
            answers.merge(why, 1L, Long::sum);
        }
        viewer.moveOn(nodes, System.nanoTime(), MAX_PAUSE_MILLIS);
        away.add(viewer);
    }

    private void fail(String what) {
        synchronized (failures) {
            failures.add(what);
        }
    }

    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    Map<String, Long> answers() {
        synchronized (answers) {
            return new TreeMap<>(answers);
        }
    }

    /** Their counts are to be read when it is stopped. */
    List<Viewer> viewers() {
        return viewers;
    }

    /** Reads no more. */
    void stop() throws InterruptedException {
        closed = true;
        reader.join();
    }

    @Override
    public void close() {
        try {
            stop();
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
