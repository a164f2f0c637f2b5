package dev.parley.bench.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.HttpBytes;
import dev.parley.bench.rig.PostConnection;
import dev.parley.bench.rig.PostRequest;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Parley as a peer. A channel is a thread, and a post is a durable message. */
final class ParleyFanout {
    private final ServerProcess server;
    private final String token;
    private final List<ThreadId> threads;
    private final String content;

    ParleyFanout(ServerProcess server, Accounts accounts, int threads, String content) {
        this.server = server;
        this.token = accounts.users().getFirst().token();
        this.threads = accounts.makeThreads(server.uri(), threads);
        this.content = content;
    }

    FanoutPeer peer() {
        return new FanoutPeer(
                FanoutPeer.PARLEY,
                server.address(),
                () -> CpuUse.ofProcess(server.pid()),
                channel -> view(channel, ""),
                this::posts);
    }

    private byte[] view(int channel, String moreHeaders) {
        return HttpBytes.get(
                server.uri().getAuthority(),
                "/api/v1/chat/threads/" + threads.get(channel) + "/events/stream",
                HttpBytes.bearer(token) + moreHeaders);
    }

    private IntFunction<ByteBuffer> posts() {
        PostRequest request = new PostRequest(server.uri().getAuthority(), token, content);
        List<byte[]> names = threads.stream().map(PostRequest::name).toList();
        SplittableRandom keys = new SplittableRandom();
        return channel -> request.of(names.get(channel), keys.nextLong());
    }

    /** The bytes that a viewer gets for one message. */
    byte[] sampleFrame() throws IOException {
        InetSocketAddress address = server.address();
        try (PostConnection post = new PostConnection(address);
                Socket view = new Socket(address.getAddress(), address.getPort())) {
            post.exchange(posts().apply(0));
            view.getOutputStream().write(view(0, "Last-Event-ID: 0\r\n"));
            BufferedReader lines = new BufferedReader(new InputStreamReader(view.getInputStream(), UTF_8));
            StringBuilder frame = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ") || !frame.isEmpty()) {
                    frame.append(line).append('\n');
                }
                if (line.isEmpty() && !frame.isEmpty()) {
                    return frame.toString().getBytes(UTF_8);
                }
            }
            throw new IOException("The server ended the stream before its first event");
        }
    }
}
