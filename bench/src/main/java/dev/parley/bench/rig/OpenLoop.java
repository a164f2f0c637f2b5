package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request at its due time, to the nodes in turn, and never waits for an answer before it sends the next
 * request. A request without a free connection queues here, and its latency counts from its due time. One thread serves
 * all connections, because the load generator has to use little CPU. This thread may send a request up to a millisecond
 * late, and the delay counts as latency of the server.
 */
public final class OpenLoop implements AutoCloseable {
    private static final int FIRST_ANSWER_BYTES = 8 * 1024;
    private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;
    private static final int ERROR_LETTERS = 500;
    private static final Duration MAX_IDLE = Duration.ofSeconds(3);

    private final Selector selector;
    private final List<Demand> kinds;
    private final List<Lane> lanes = new ArrayList<>();
    private final Thread thread;
    private int turn;
    private volatile boolean closed;

    /** A request that is due. */
    private record Due(Demand kind, long nanos) {}

    /** One node, with its free connections and the requests that wait for a connection. */
    private static final class Lane {
        private final InetSocketAddress address;
        private final int node;
        private final int maxConnections;
        /** The connection used last comes first, so that surplus connections stay idle and are closed. */
        private final Deque<Connection> free = new ArrayDeque<>();

        private final Deque<Due> waiting = new ArrayDeque<>();
        private int connections;

        Lane(URI uri, int node, int maxConnections) {
            this.address = new InetSocketAddress(uri.getHost(), uri.getPort());
            this.node = node;
            this.maxConnections = maxConnections;
        }
    }

    /** @param connections the maximum for each node */
    public OpenLoop(List<URI> nodes, int connections, List<Demand> kinds) {
        this.kinds = List.copyOf(kinds);
        try {
            this.selector = Selector.open();
            for (URI node : nodes) {
                lanes.add(new Lane(node, lanes.size(), connections));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = Thread.ofPlatform().name("open-loop").start(this::run);
    }

    private Connection open(Lane lane) throws IOException {
        SocketChannel channel = SocketChannel.open(lane.address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        Connection connection = new Connection(channel, lane);
        channel.register(selector, SelectionKey.OP_READ, connection);
        lane.connections++;
        return connection;
    }

    private void run() {
        try {
            while (!closed) {
                takeDue();
                for (Lane lane : lanes) {
                    serve(lane);
                }
                selector.select(1);
                for (SelectionKey key : selector.selectedKeys()) {
                    read((Connection) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException broken) {
            kinds.forEach(kind -> kind.tally().failed("The load generator broke off: " + broken));
        }
    }

    private void takeDue() {
        long now = System.nanoTime();
        for (Demand kind : kinds) {
            for (long due = kind.takeDue(now); due != Long.MAX_VALUE; due = kind.takeDue(now)) {
                lanes.get(turn).waiting.add(new Due(kind, due));
                turn = (turn + 1) % lanes.size();
            }
        }
    }

    private void serve(Lane lane) throws IOException {
        while (!lane.waiting.isEmpty() && (!lane.free.isEmpty() || lane.connections < lane.maxConnections)) {
            Connection connection = lane.free.isEmpty() ? open(lane) : lane.free.removeFirst();
            if (connection.isStale()) {
                connection.close();
            } else {
                connection.send(lane.waiting.removeFirst());
            }
        }
    }

    private static void read(Connection connection) throws IOException {
        boolean open;
        try {
            open = connection.read();
        } catch (IOException lost) {
            open = false;
        }
        if (!open) {
            connection.lane.free.remove(connection);
            connection.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        EventStreams.close(selector, thread);
    }

    /** One connection, with at most one request under way. */
    private static final class Connection {
        private final SocketChannel channel;
        private final Lane lane;
        private ByteBuffer answer = ByteBuffer.allocate(FIRST_ANSWER_BYTES);
        private @Nullable Due underWay;

        private long usedNanos = System.nanoTime();

        Connection(SocketChannel channel, Lane lane) {
            this.channel = channel;
            this.lane = lane;
        }

        /** True if the connection has been idle for so long that the server may be closing it at this moment. */
        boolean isStale() {
            return System.nanoTime() - usedNanos > MAX_IDLE.toNanos();
        }

        void send(Due due) throws IOException {
            underWay = due;
            ByteBuffer bytes = ByteBuffer.wrap(due.kind().request(lane.node, due.nanos()));
            try {
                // The connection has no other request under way, so the socket's send buffer has room for this request.
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException gone) {
                // The next read then sees the end of the stream, and the request counts as failed.
                channel.shutdownInput();
            }
        }

        /** Reads the available bytes; false if the connection is gone. */
        boolean read() throws IOException {
            if (!answer.hasRemaining()) {
                if (answer.capacity() >= MAX_ANSWER_BYTES) {
                    throw new IOException("an answer is too long");
                }
                answer = ByteBuffer.allocate(answer.capacity() * 2).put(answer.flip());
            }
            if (channel.read(answer) < 0) {
                return false;
            }
            int length = AnswerScan.wholeLength(answer.array(), answer.position());
            if (length >= 0 && answer.position() >= length) {
                int status = AnswerScan.status(answer.array());
                String text = status / 100 == 2
                        ? ""
                        : new String(Arrays.copyOf(answer.array(), Math.min(length, ERROR_LETTERS)), UTF_8);
                answer.clear();
                Due answered = Objects.requireNonNull(underWay, "an answer without a request");
                underWay = null;
                answered.kind().answered(status, answered.nanos(), text);
                usedNanos = System.nanoTime();
                lane.free.addFirst(this);
            }
            return true;
        }

        void close() throws IOException {
            channel.close();
            lane.connections--;
            if (underWay != null) {
                underWay.kind().tally().failed("the server closed the connection of a request");
            }
        }
    }
}
