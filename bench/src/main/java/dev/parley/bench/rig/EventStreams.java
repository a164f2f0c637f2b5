package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A pool of viewers with thousands of streams of server-sent events. One thread reads all streams, because the
 * generator should take little CPU from the measured server. The number of connections that wait for an answer is
 * bounded, like a listen queue.
 */
public final class EventStreams implements AutoCloseable {
    private static final int OPENING_AT_ONCE = 1_000;
    private static final int READ_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 20;
    private static final Duration OPEN_POLL = Duration.ofMillis(5);
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

    /** Reads the bytes of one connection, beginning with the head of the answer, in any pieces. */
    @FunctionalInterface
    public interface Scan {
        void take(byte[] bytes, int limit);
    }

    /** Follows the streams; called only by the thread that reads. */
    public interface Listener {
        /** The scan of a stream's next connection. */
        Scan scan(int stream);

        /** The server has answered. */
        default void opened(int stream) {}

        /** The stream has ended, by either side. */
        default void ended(int stream, IOException why) {}

        /** The server has refused the stream. */
        default void refused(int stream, int status, String answer) {
            ended(stream, new IOException("refused: " + answer));
        }

        /** All available bytes are read; the listener may open streams. */
        default void idle(EventStreams streams) {}
    }

    private final Listener listener;
    private final long silenceNanos;
    private final Selector selector;
    private final Queue<Wanted> wanted = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final Thread reader;
    private int opening;
    private long lookedNanos;
    private volatile boolean closed;

    private record Wanted(int stream, InetSocketAddress address, byte[] request) {}

    /** One connection. */
    private static final class Stream {
        private final int number;
        private final byte[] request;
        private final Scan scan;
        private boolean open;
        private long heardNanos = System.nanoTime();

        Stream(Wanted wanted, Scan scan) {
            this.number = wanted.stream();
            this.request = wanted.request();
            this.scan = scan;
        }
    }

    public EventStreams(Listener listener) {
        this(listener, Duration.ZERO);
    }

    /** @param silence the time after which a silent stream is closed; zero for never */
    public EventStreams(Listener listener, Duration silence) {
        this.listener = listener;
        this.silenceNanos = silence.toNanos();
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.reader = Thread.ofPlatform().name("event-streams").start(this::read);
    }

    /**
     * Opens a stream of a server soon. The stream begins after the event with the id {@code lastId}, if there is one.
     */
    public void open(int stream, URI server, String path, String token, @Nullable String lastId) {
        String headers = HttpBytes.bearer(token) + "Accept: text/event-stream\r\n"
                + (lastId == null ? "" : "Last-Event-ID: " + lastId + "\r\n");
        open(stream, ServerProcess.address(server), HttpBytes.get(server.getAuthority(), path, headers));
    }

    /**
     * Opens a stream soon.
     *
     * @param stream the number of the stream, which the listener gets
     */
    public void open(int stream, InetSocketAddress address, byte[] request) {
        wanted.add(new Wanted(stream, address, request));
        selector.wakeup();
    }

    /** Waits until this many streams are open. */
    public void awaitOpen(int count, Duration limit) throws InterruptedException {
        if (!Deadline.in(limit).await(OPEN_POLL, () -> openCount() >= count)) {
            throw new IllegalStateException(count - openCount() + " viewers got no answer within " + limit);
        }
    }

    /** The number of streams that were answered and have not ended. */
    public int openCount() {
        check();
        return open.get();
    }

    /** Bytes of all streams so far. */
    public long bytes() {
        return bytes.get();
    }

    /** Makes the next check fail. */
    public void fail(String why) {
        failure.compareAndSet(null, why);
    }

    /** Throws if the reader broke off or a failure was reported. */
    public void check() {
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
                dropSilent();
                listener.idle(this);
            }
        } catch (IOException | RuntimeException e) {
            fail(e.toString());
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
                listener.ended(next.stream(), refused);
                continue;
            }
            Stream stream = new Stream(next, listener.scan(next.stream()));
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
                    throw new EOFException("the server ended it");
                }
                take(stream, channel);
            }
        } catch (IOException lost) {
            end(channel, stream, () -> listener.ended(stream.number, lost));
        }
    }

    private void take(Stream stream, SocketChannel channel) throws IOException {
        int limit = buffer.position();
        bytes.addAndGet(limit);
        if (silenceNanos > 0) {
            stream.heardNanos = System.nanoTime();
        }
        if (!stream.open && limit > 0) {
            // The first twelve bytes end with the status, as in "HTTP/1.1 200". Servers send the head at once, ahead of
            // everything else.
            int status = limit < 12 ? 0 : AnswerScan.status(buffer.array());
            if (status / 100 != 2) {
                String answer = new String(buffer.array(), 0, limit, UTF_8);
                end(channel, stream, () -> listener.refused(stream.number, status, answer));
                return;
            }
            stream.open = true;
            opening--;
            listener.opened(stream.number);
            open.incrementAndGet();
        }
        stream.scan.take(buffer.array(), limit);
    }

    /** Closes connections that have been silent for too long. */
    private void dropSilent() throws IOException {
        long now = System.nanoTime();
        if (silenceNanos == 0 || now - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = now;
        for (SelectionKey key : selector.keys()) {
            Stream stream = (Stream) key.attachment();
            if (key.isValid() && now - stream.heardNanos > silenceNanos) {
                end(
                        (SocketChannel) key.channel(),
                        stream,
                        () -> listener.ended(stream.number, new SocketTimeoutException("no bytes within the limit")));
            }
        }
    }

    private void end(SocketChannel channel, Stream stream, Runnable tell) throws IOException {
        channel.close();
        // The listener is told first. Therefore a reader of the changed count sees the effects of the listener.
        tell.run();
        if (stream.open) {
            open.decrementAndGet();
        } else {
            opening--;
        }
    }

    @Override
    public void close() {
        closed = true;
        close(selector, reader);
    }

    /** Closes a selector and all of its channels once its thread has ended. */
    static void close(Selector selector, Thread thread) {
        try (selector) {
            thread.join();
            if (selector.isOpen()) {
                for (SelectionKey key : selector.keys()) {
                    key.channel().close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
