package dev.parley.bench.rig;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A kept-alive connection of one caller. Each request waits for its answer, and any answer but a success is an error.
 */
public final class PostConnection implements AutoCloseable {
    private static final int MAX_ANSWER_BYTES = 16 * 1024;

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(MAX_ANSWER_BYTES);

    public PostConnection(InetSocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    public void exchange(ByteBuffer request) throws IOException {
        while (request.hasRemaining()) {
            channel.write(request);
        }
        answer.clear();
        int whole = -1;
        while (whole < 0 || answer.position() < whole) {
            if (channel.read(answer) < 0) {
                throw new IOException("a server closed the connection of a poster");
            }
            whole = AnswerScan.wholeLength(answer.array(), answer.position());
        }
        if (AnswerScan.status(answer.array()) / 100 != 2) {
            throw new IOException("a post was answered " + AnswerScan.status(answer.array()));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
