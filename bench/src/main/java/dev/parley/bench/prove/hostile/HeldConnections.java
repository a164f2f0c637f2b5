package dev.parley.bench.prove.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Connections that send one request and then neither send nor read. Their number is bounded. At the bound, a further
 * connection closes the oldest connection.
 */
final class HeldConnections implements Closeable {
    private static final int CONNECT_MILLIS = 5_000;

    private final URI server;
    private final int most;
    private final int receiveBuffer;
    private final Deque<Socket> open = new ArrayDeque<>();
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();

    /** @param receiveBuffer bytes that the kernel accepts on behalf of the silent reader; 0 for the system's choice */
    HeldConnections(URI server, int most, int receiveBuffer) {
        this.server = server;
        this.most = most;
        this.receiveBuffer = receiveBuffer;
    }

    void open(String head, byte[] body) throws IOException {
        while (open.size() >= most) {
            open.removeFirst().close();
        }
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), CONNECT_MILLIS);
        open.addLast(socket);
        // If the server stops reading, the write blocks until the connection is closed.
        senders.execute(() -> {
            try {
                socket.getOutputStream().write(head.getBytes(ISO_8859_1));
                socket.getOutputStream().write(body);
            } catch (IOException cut) {
                // The server may cut such a client at any time.
            }
        });
    }

    @Override
    public void close() {
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException gone) {
                // The socket is closed in any case.
            }
        }
        senders.shutdownNow();
        senders.close();
    }
}
