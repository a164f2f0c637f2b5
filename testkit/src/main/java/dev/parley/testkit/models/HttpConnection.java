package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The server's end of an HTTP/1.1 connection. Unlike the JDK's server it notices at once, without writing, that the
 * client has left, and it can hang up in the middle of an answer.
 */
final class HttpConnection implements AutoCloseable {
    private static final int MAX_LINE = 64 * 1024;
    private static final int MAX_HEADERS = 200;
    private static final int MAX_BODY_BYTES = 64 * 1024 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    HttpConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** A request as received, with header names in lower case. */
    record Received(String method, String path, Map<String, String> headers, byte[] body) {}

    /** Reads the next request; empty if the client sends no further request. */
    Optional<Received> read() throws IOException {
        String line = readLine();
        if (line.isEmpty()) {
            return Optional.empty();
        }
        String[] words = line.split(" ", 3);
        if (words.length < 3) {
            throw new IOException("Not a request line: " + line);
        }
        Map<String, String> headers = new HashMap<>();
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            int colon = header.indexOf(':');
            if (colon < 1 || headers.size() >= MAX_HEADERS) {
                throw new IOException("Not a header, or too many: " + header);
            }
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
            out.flush();
        }
        return Optional.of(new Received(words[0], words[1], headers, readBody(headers)));
    }

    private byte[] readBody(Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return readChunks();
        }
        return readExactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (body.size() <= MAX_BODY_BYTES) {
            int length = Integer.parseInt(readLine().split(";", 2)[0].strip(), 16);
            body.write(readExactly(length));
            if (length > 0) {
                readLine();
            } else {
                while (!readLine().isEmpty()) {
                    continue;
                }
                return body.toByteArray();
            }
        }
        throw new IOException("The body is too large");
    }

    private byte[] readExactly(int length) throws IOException {
        if (length > MAX_BODY_BYTES) {
            throw new IOException("The body is too large");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The body ended early");
        }
        return bytes;
    }

    /** Reads a line; empty also if the client hung up. */
    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() >= MAX_LINE) {
                throw new IOException("A line is too long");
            }
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    /**
     * Waits for the client's next byte in a separate thread while an answer is written. Until then, no other thread may
     * read.
     *
     * @param left completes when the client has hung up
     */
    record Watch(Thread thread, CompletableFuture<Void> left) {}

    Watch watch() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name("scripted-model-watch").start(() -> {
            try {
                in.mark(1);
                if (in.read() < 0) {
                    left.complete(null);
                } else {
                    in.reset();
                }
            } catch (IOException gone) {
                left.complete(null);
            }
        });
        return new Watch(thread, left);
    }

    /** Writes an answer in one piece. */
    void answer(int status, Map<String, String> headers, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        head(status, headers, "content-length: " + bytes.length);
        out.write(bytes);
        out.flush();
    }

    void beginChunks(Map<String, String> headers) throws IOException {
        head(200, headers, "transfer-encoding: chunked");
        out.flush();
    }

    void chunk(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(ISO_8859_1));
        out.write(bytes);
        out.write("\r\n".getBytes(ISO_8859_1));
        out.flush();
    }

    void endChunks() throws IOException {
        out.write("0\r\n\r\n".getBytes(ISO_8859_1));
        out.flush();
    }

    private void head(int status, Map<String, String> headers, String framing) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + reason(status) + "\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        out.write((head + framing + "\r\n\r\n").getBytes(ISO_8859_1));
    }

    /** The reason phrase, which some clients show to their users. */
    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> "Answer";
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
