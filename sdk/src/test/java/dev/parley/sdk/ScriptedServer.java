package dev.parley.sdk;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A server on a loopback port that answers each request, in order, by the next step of its script and then hangs up. */
final class ScriptedServer implements AutoCloseable {
    /** The server's answer to one request; the connection is closed when it returns. */
    interface Step {
        void answer(Request request, Wire wire) throws IOException, InterruptedException;
    }

    /** A request as received. */
    record Request(String method, String path, Map<String, String> headers, String body) {}

    /** The way back to the client. */
    record Wire(Socket socket, OutputStream out) {
        void write(String text) throws IOException {
            write(text.getBytes(StandardCharsets.UTF_8));
        }

        void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void json(int status, String json, String... headers) throws IOException {
            int length = json.getBytes(StandardCharsets.UTF_8).length;
            String extra = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
            write("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\n" + extra + "Connection: close\r\n"
                    + "Content-Length: " + length + "\r\n\r\n" + json);
        }

        void openStream() throws IOException {
            write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
        }

        /** Blocks until the client has hung up. */
        void untilClientLeaves() {
            try {
                InputStream in = socket.getInputStream();
                while (in.read() >= 0) {
                    continue;
                }
            } catch (IOException gone) {
                // The expected end of the connection.
            }
        }
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final BlockingQueue<Step> script = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    ScriptedServer(Step... steps) throws IOException {
        script.addAll(List.of(steps));
        Thread.ofVirtual().start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    List<Request> requests() {
        return requests;
    }

    void then(Step step) {
        script.add(step);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Request request = read(new BufferedInputStream(socket.getInputStream()));
            requests.add(request);
            script.take().answer(request, new Wire(socket, socket.getOutputStream()));
        } catch (IOException | InterruptedException gone) {
            // The client left first, or the test is over.
        } finally {
            open.remove(socket);
        }
    }

    private static Request read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(first[0], first[1], headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the client hung up in its request");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
        // Wakes the connections that still wait for a step.
        for (int i = 0; i < requests.size() + 1; i++) {
            script.add((request, wire) -> {});
        }
    }
}
