package dev.parley.bench.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A bare Vert.x server as a process of its own: a post holds the very bytes that viewers get. */
final class BarePeer implements Peer {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final int port;
    private final byte[] frame;

    BarePeer(Path folder, byte[] frame) {
        this.frame = frame;
        try {
            process =
                    ChildProcess.java(folder, Map.of(), ServerProcess.JVM_FLAGS, BareServer.class.getName(), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            port = Integer.parseInt(
                    process.awaitLine("listening on ([0-9]+)", START_LIMIT).group(1));
        } catch (RuntimeException | Error failed) {
            process.close();
            throw failed;
        }
    }

    @Override
    public String name() {
        return "bare Vert.x";
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Override
    public byte[] view(int channel) {
        return ("GET /" + channel + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").getBytes(US_ASCII);
    }

    @Override
    public IntFunction<ByteBuffer> posts() {
        return channel -> {
            byte[] head = ("POST /" + channel + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + frame.length
                            + "\r\n\r\n")
                    .getBytes(US_ASCII);
            return ByteBuffer.allocate(head.length + frame.length)
                    .put(head)
                    .put(frame)
                    .flip();
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
