package dev.parley.bench.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.bench.rig.BareProcess;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.HttpBytes;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A server that sends the posts to a channel to all viewers of the channel.
 *
 * @param used the CPU time of the server and of this process so far
 * @param view the function that creates the request to open a channel's stream
 * @param posts the supplier of posters; a poster creates requests to channels, each valid until it creates the next one
 */
record FanoutPeer(
        String name,
        InetSocketAddress address,
        Supplier<CpuUse> used,
        IntFunction<byte[]> view,
        Supplier<IntFunction<ByteBuffer>> posts) {
    static final String PARLEY = "Parley";
    static final String BARE = "bare Vert.x";

    /** A bare Vert.x server. A post contains the exact bytes that viewers get. */
    static FanoutPeer bare(BareProcess process, byte[] frame) {
        String length = "Content-Length: " + frame.length + "\r\n\r\n";
        IntFunction<ByteBuffer> posts = channel -> {
            byte[] head = HttpBytes.head("POST", BareProcess.HOST, "/" + channel, length)
                    .getBytes(US_ASCII);
            return ByteBuffer.allocate(head.length + frame.length)
                    .put(head)
                    .put(frame)
                    .flip();
        };
        IntFunction<byte[]> view = channel -> HttpBytes.get(BareProcess.HOST, "/" + channel, "");
        return new FanoutPeer(BARE, process.address(), process::used, view, () -> posts);
    }
}
