package dev.parley.bench.append;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.AnswerScan;
import dev.parley.bench.rig.PostRequest;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Tally;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Writers that post over kept-alive HTTP connections, each with one message under way. One thread serves all
 * connections, because the generator should take little CPU from the measured server.
 */
final class HttpLoad implements AppendLoad {
    private static final int MAX_ANSWER_BYTES = 64 * 1024;
    private static final long POLL_MILLIS = 100;
    private static final int CREATED = 201;

    private final Selector selector;
    private final List<byte[]> threads;
    private final SplittableRandom random = new SplittableRandom();
    /**
     * The number in the next key. The first number is random, because the keys of two runs against one server must not
     * collide.
     */
    private long nextKey = random.nextLong();

    HttpLoad(URI server, List<Accounts.User> users, List<ThreadId> threads, int writers, String content) {
        this.threads = threads.stream().map(PostRequest::name).toList();
        try {
            this.selector = Selector.open();
            for (int i = 0; i < writers; i++) {
                String token = users.get(i % users.size()).token();
                open(server, new PostRequest(server.getAuthority(), token, content));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void open(URI server, PostRequest request) throws IOException {
        SocketChannel channel = SocketChannel.open(ServerProcess.address(server));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Writer(channel, request));
    }

    @Override
    public void run(Tally tally, BooleanSupplier goOn) {
        try {
            int waiting = 0;
            for (SelectionKey key : selector.keys()) {
                ((Writer) key.attachment()).send();
                waiting++;
            }
            while (waiting > 0) {
                selector.select(POLL_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    Writer writer = (Writer) key.attachment();
                    if (!writer.answered(tally)) {
                        continue;
                    }
                    if (goOn.getAsBoolean()) {
                        writer.send();
                    } else {
                        waiting--;
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (selector) {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One writer with its connection. */
    private final class Writer {
        private final SocketChannel channel;
        private final PostRequest request;
        private final ByteBuffer answer = ByteBuffer.allocate(MAX_ANSWER_BYTES);
        private long sentNanos;

        Writer(SocketChannel channel, PostRequest request) {
            this.channel = channel;
            this.request = request;
        }

        void send() throws IOException {
            ByteBuffer bytes = request.of(threads.get(random.nextInt(threads.size())), nextKey++);
            sentNanos = System.nanoTime();
            // The socket's send buffer has room, because no other request is under way on this connection.
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        /** Reads the available bytes; true once the answer is complete. */
        boolean answered(Tally tally) throws IOException {
            if (channel.read(answer) < 0) {
                throw new IOException("The server closed a connection of the load");
            }
            int length = AnswerScan.wholeLength(answer.array(), answer.position());
            if (length < 0 || answer.position() < length) {
                return false;
            }
            if (AnswerScan.status(answer.array()) == CREATED) {
                tally.done(sentNanos);
            } else {
                tally.failed(new String(Arrays.copyOf(answer.array(), length), UTF_8));
            }
            answer.clear();
            return true;
        }
    }
}
