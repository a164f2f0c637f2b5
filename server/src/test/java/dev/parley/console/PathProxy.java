package dev.parley.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves another server under a sub-path, as a reverse proxy does. Streams are forwarded as they arrive. */
final class PathProxy implements AutoCloseable {
    private static final String PATH = "/under/a/path/";
    /** Headers of a single connection, and headers that the client sets itself. */
    private static final Set<String> NOT_HANDED_ON =
            Set.of("connection", "host", "content-length", "transfer-encoding", "upgrade", "http2-settings");

    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    private PathProxy(URI target, HttpServer server) {
        this.target = target;
        this.server = server;
    }

    static PathProxy to(URI target) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PathProxy proxy = new PathProxy(target, server);
        server.setExecutor(proxy.threads);
        server.createContext(PATH, proxy::handOn);
        server.start();
        return proxy;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH);
    }

    private void handOn(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<InputStream> answer =
                    client.send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
            answer.headers().map().forEach((name, values) -> {
                if (isHandedOn(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean isEmpty = answer.statusCode() == 204 || answer.statusCode() == 304;
            exchange.sendResponseHeaders(answer.statusCode(), isEmpty ? -1 : 0);
            if (!isEmpty) {
                stream(answer.body(), exchange.getResponseBody());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        String requestTarget = exchange.getRequestURI().toString().substring(PATH.length());
        HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve("/" + requestTarget))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (isHandedOn(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static boolean isHandedOn(String header) {
        return !NOT_HANDED_ON.contains(header.toLowerCase(Locale.ROOT)) && !header.startsWith(":");
    }

    private static void stream(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
        threads.shutdownNow();
    }
}
