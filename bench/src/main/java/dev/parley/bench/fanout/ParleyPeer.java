package dev.parley.bench.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.PostRequest;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Parley: a channel is a thread, and a post a durable message. */
final class ParleyPeer implements Peer {
    private final Accounts accounts = new Accounts(1);
    private final ServerProcess server;
    private final List<ThreadId> threads;
    private final String content;

    ParleyPeer(Path folder, int threads, String content) {
        this.content = content;
        this.server = ServerProcess.start(folder, accounts.environment(), List.of("--log-level", "warn"));
        try {
            this.threads = accounts.makeThreads(server.uri(), threads);
        } catch (RuntimeException | Error failed) {
            server.close();
            throw failed;
        }
    }

    @Override
    public String name() {
        return "Parley";
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public InetSocketAddress address() {
        URI uri = server.uri();
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    @Override
    public byte[] view(int channel) {
        return view(channel, "");
    }

    private byte[] view(int channel, String moreHeaders) {
        return ("GET /api/v1/chat/threads/" + threads.get(channel) + "/events/stream HTTP/1.1\r\nHost: "
                        + server.uri().getAuthority() + "\r\nAuthorization: Bearer " + token() + "\r\n" + moreHeaders
                        + "\r\n")
                .getBytes(US_ASCII);
    }

    private String token() {
        return accounts.users().getFirst().token();
    }

    @Override
    public IntFunction<ByteBuffer> posts() {
        PostRequest request = new PostRequest(server.uri().getAuthority(), token(), content);
        List<byte[]> names = threads.stream().map(PostRequest::name).toList();
        SplittableRandom keys = new SplittableRandom();
        return channel -> request.of(names.get(channel), keys.nextLong());
    }

    /** The bytes that a viewer gets for one message. */
    byte[] sampleFrame() throws IOException {
        try (SocketChannel post = SocketChannel.open(address());
                Socket view = new Socket(address().getAddress(), address().getPort())) {
            post.write(posts().apply(0));
            if (post.read(ByteBuffer.allocate(1)) < 0) {
                throw new IOException("The server did not take a message");
            }
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

    @Override
    public void close() {
        server.close();
    }
}
