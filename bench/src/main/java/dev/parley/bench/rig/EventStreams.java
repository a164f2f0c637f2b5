package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Very many streams of server-sent events, all read by one thread. How many of them may be on their way to an answer at
 * the same time is bounded, as a listen queue is.
 */
public final class EventStreams implements AutoCloseable {
    private static final int OPENING_AT_ONCE = 1_000;
    private static final int READ_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 20;

    /** What happens on a stream; told by the one thread that reads. */
    public interface Listener {
        /** The server has answered. */
        default void opened(int stream) {}

        void event(int stream, EventText event);

        /** The stream has ended, whoever ended it, or was refused. */
        default void ended(int stream, String why) {}
    }

    private final Listener listener;
    private final Selector selector;
    private final Queue<Wanted> wanted = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final Thread reader;
    private int opening;
    private volatile boolean closed;

    private record Wanted(int stream, InetSocketAddress address, byte[] request) {}

    /** One connection. */
    private static final class Stream {
        private final int number;
        private final byte[] request;
        private final EventScan scan = new EventScan();
        private boolean open;

        Stream(Wanted wanted) {
            this.number = wanted.stream();
            this.request = wanted.request();
        }
    }

    public EventStreams(Listener listener) {
        this.listener = listener;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.reader = Thread.ofPlatform().name("event-streams").start(this::read);
    }

    /**
     * Opens a stream soon.
     *
     * @param stream what it is called when the listener is told of it
     */
    public void open(int stream, URI server, String path, String token, @Nullable String lastId) {
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\nAuthorization: Bearer "
                + token + "\r\nAccept: text/event-stream\r\n"
                + (lastId == null ? "" : "Last-Event-ID: " + lastId + "\r\n") + "\r\n";
        wanted.add(
                new Wanted(stream, new InetSocketAddress(server.getHost(), server.getPort()), request.getBytes(UTF_8)));
        selector.wakeup();
    }

    /** How many have been answered and have not ended. */
    public int openCount() {
        check();
        return open.get();
    }

    /** Bytes of all streams so far. */
    public long bytes() {
        return bytes.get();
    }

    private void check() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The streams broke off: " + broken);
        }
    }

    private void read() {
        try {
            while (!closed) {
                connectSome();
                selector.select(POLL_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException e) {
            failure.set(e.toString());
        }
    }

    private void connectSome() throws IOException {
        while (opening < OPENING_AT_ONCE) {
            Wanted next = wanted.poll();
            if (next == null) {
                return;
            }
            opening++;
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            boolean connected;
            try {
                connected = channel.connect(next.address());
            } catch (IOException refused) {
                channel.close();
                opening--;
                listener.ended(next.stream(), refused.toString());
                continue;
            }
            Stream stream = new Stream(next);
            SelectionKey key =
                    channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, stream);
            if (connected) {
                ask(key, stream);
            }
        }
    }

    private static void ask(SelectionKey key, Stream stream) throws IOException {
        ByteBuffer request = ByteBuffer.wrap(stream.request);
        while (request.hasRemaining()) {
            ((SocketChannel) key.channel()).write(request);
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    private void serve(SelectionKey key) throws IOException {
        Stream stream = (Stream) key.attachment();
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                ask(key, stream);
            }
            if (key.isReadable()) {
                buffer.clear();
                if (channel.read(buffer) < 0) {
                    end(channel, stream, "the server ended it");
                } else {
                    take(stream, channel);
                }
            }
        } catch (IOException lost) {
            end(channel, stream, lost.toString());
        }
    }

    private void take(Stream stream, SocketChannel channel) throws IOException {
        int limit = buffer.position();
        bytes.addAndGet(limit);
        if (!stream.open && limit > 0) {
            // "HTTP/1.1 200": servers send the head at once, ahead of everything else.
            if (limit < 12 || buffer.get(9) != '2') {
                end(channel, stream, "refused: " + new String(buffer.array(), 0, limit, UTF_8));
                return;
            }
            stream.open = true;
            opening--;
            listener.opened(stream.number);
            open.incrementAndGet();
        }
        stream.scan.take(buffer.array(), limit, event -> listener.event(stream.number, event));
    }

    private void end(SocketChannel channel, Stream stream, String why) throws IOException {
        channel.close();
        // Told first: whoever sees the count has been told of all that it counts.
        listener.ended(stream.number, why);
        if (stream.open) {
            open.decrementAndGet();
        } else {
            opening--;
        }
    }

    @Override
    public void close() {
        closed = true;
        try (selector) {
            reader.join();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
