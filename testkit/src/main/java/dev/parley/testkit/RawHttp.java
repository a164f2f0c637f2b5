package dev.parley.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/1.1 connection that sends exactly the given bytes, valid or not, and reads the answers. */
public final class RawHttp implements AutoCloseable {
    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_BODY = 64 * 1024 * 1024;

    private final Socket socket;
    private final InputStream in;

    private RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** @param limit the timeout of a single read */
    public static RawHttp connect(URI server, Duration limit) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) limit.toMillis());
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), (int) limit.toMillis());
            return new RawHttp(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends one request on its own connection, and returns the answer. */
    public static RawAnswer exchange(URI server, byte[] request, Duration limit) throws IOException {
        try (RawHttp connection = connect(server, limit)) {
            connection.send(request);
            return connection.readAnswer();
        }
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends characters up to U+00FF as one byte each. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Ends the output, so that the server reads the end of the stream. Answers can still be read. */
    public void finish() throws IOException {
        socket.shutdownOutput();
    }

    /**
     * Reads the next answer. Content-Length or chunks delimit the body; otherwise the body ends when the server hangs
     * up.
     */
    public RawAnswer readAnswer() throws IOException {
        return readBody(readHead());
    }

    /** Reads the body after a head that was read already. */
    public RawAnswer readBody(RawAnswer head) throws IOException {
        byte[] body;
        if (head.status() == 204 || head.status() == 304 || head.status() < 200) {
            body = new byte[0];
        } else if (head.header("transfer-encoding").filter("chunked"::equals).isPresent()) {
            body = readChunks();
        } else if (head.header("content-length").isPresent()) {
            int length = Integer.parseInt(head.header("content-length").get());
            body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("The body ended after " + body.length + " of " + length + " bytes");
            }
        } else {
            body = in.readNBytes(MAX_BODY);
        }
        return new RawAnswer(head.status(), head.headers(), body);
    }

    /** Reads only the status and the headers, for streams. The rest of the answer can be read line by line. */
    public RawAnswer readHead() throws IOException {
        String statusLine = readLine();
        if (!statusLine.startsWith("HTTP/1.")) {
            throw new IOException("Not an HTTP answer: " + statusLine);
        }
        Map<String, List<String>> headers = new TreeMap<>();
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("Not a header: " + line);
            }
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return new RawAnswer(Integer.parseInt(statusLine.substring(9, 12)), headers, new byte[0]);
    }

    /** Reads the next line without its end, as UTF-8. */
    public String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server hung up after: " + line.toString(StandardCharsets.UTF_8));
            }
            if (line.size() >= MAX_LINE) {
                throw new IOException("A line is longer than " + MAX_LINE + " bytes");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = readLine().split(";")[0].strip();
            int length = Integer.parseInt(size, 16);
            body.write(in.readNBytes(length));
            if (length > 0) {
                readLine();
            } else {
                while (!readLine().isEmpty()) {
                    continue;
                }
                return body.toByteArray();
            }
        }
    }

    /** True if the server hangs up within the read limit. The rest of its output is discarded. */
    public boolean peerCloses() {
        try {
            while (in.read() >= 0) {
                continue;
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
