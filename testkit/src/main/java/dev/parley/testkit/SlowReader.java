package dev.parley.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A client that requests an event stream and then never reads. Its receive buffer is small, so that the server notices
 * soon. Otherwise the buffers of the loopback would take megabytes first.
 */
public final class SlowReader implements AutoCloseable {
    private static final int RECEIVE_BUFFER = 2 * 1024;
    private static final Duration PROBE = Duration.ofMillis(50);

    private final Socket socket;

    private SlowReader(Socket socket) {
        this.socket = socket;
    }

    /** Sends the GET for {@code stream} and reads nothing of the answer, not even its status. */
    public static SlowReader open(URI stream, Map<String, String> headers) throws IOException {
        Socket socket = new Socket();
        try {
            // The buffer is set before connecting, because the connect negotiates the window.
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(stream.getHost(), stream.getPort()), 5_000);
            String query = stream.getRawQuery() == null ? "" : "?" + stream.getRawQuery();
            StringBuilder request = new StringBuilder("GET " + stream.getRawPath() + query + " HTTP/1.1\r\n")
                    .append("Host: ")
                    .append(stream.getAuthority())
                    .append("\r\nAccept: text/event-stream\r\n");
            headers.forEach((name, value) ->
                    request.append(name).append(": ").append(value).append("\r\n"));
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            return new SlowReader(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * True if the server hangs up within the limit. The check sends empty lines, which HTTP allows before a request. A
     * read would not show the close while unread bytes are in the buffer.
     */
    public boolean peerClosedWithin(Duration limit) {
        try {
            Awaitility.await()
                    .atMost(limit)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(PROBE)
                    .until(this::peerClosed);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    private boolean peerClosed() {
        try {
            socket.getOutputStream().write('\r');
            socket.getOutputStream().write('\n');
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Reads until the server hangs up or is silent for this time. */
    public String drain(Duration silence) throws IOException {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        socket.setSoTimeout((int) silence.toMillis());
        byte[] buffer = new byte[8 * 1024];
        try {
            for (int length = socket.getInputStream().read(buffer);
                    length >= 0;
                    length = socket.getInputStream().read(buffer)) {
                taken.write(buffer, 0, length);
            }
        } catch (SocketTimeoutException silent) {
            // The server is silent for now.
        } catch (IOException reset) {
            // The server reset the connection; the bytes before that count.
        }
        return taken.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
