package dev.parley.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** An AG-UI server that answers as its test says, request by request, and records the requests. */
public final class ScriptedAgent implements AutoCloseable {
    private final HttpServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Script> scripts = new LinkedBlockingQueue<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** A request to the agent. */
    public record Request(String method, Map<String, List<String>> headers, JsonNode body) {
        public String header(String name) {
            return String.join(",", headers.getOrDefault(name, List.of()));
        }

        public List<JsonNode> messages() {
            return body.get("messages").valueStream().toList();
        }
    }

    /** The answer to one request. */
    public interface Script {
        void answer(Request request, Answer answer) throws IOException, InterruptedException;
    }

    public ScriptedAgent() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/agent";
    }

    /** Answers the next request, and only that one. */
    public ScriptedAgent then(Script script) {
        scripts.add(script);
        return this;
    }

    /** Answers the next request with these events between RUN_STARTED and RUN_FINISHED. */
    public ScriptedAgent says(String... events) {
        return then((request, answer) -> {
            answer.start(request);
            answer.events(events);
            answer.finish(request);
        });
    }

    public List<Request> requests() {
        return requests;
    }

    public Request lastRequest() {
        return requests.getLast();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Request request = new Request(
                    exchange.getRequestMethod(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    body.length == 0 ? Json.MAPPER.nullNode() : Json.MAPPER.readTree(body));
            requests.add(request);
            Script script = scripts.poll();
            if (script == null) {
                exchange.sendResponseHeaders(599, -1);
            } else {
                script.answer(request, new Answer(exchange));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One answer in progress. */
    public final class Answer {
        private final HttpExchange exchange;
        private boolean opened;

        private Answer(HttpExchange exchange) {
            this.exchange = exchange;
        }

        /** Answers with a status and a body that is not a stream. */
        public void status(int status, String body, String... headers) throws IOException {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }

        /** Answers with a status alone. */
        public void status(int status) throws IOException {
            exchange.sendResponseHeaders(status, -1);
        }

        /** Opens the stream. */
        public void open() throws IOException {
            opened = true;
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
        }

        /** Opens the stream, and the run. */
        public void start(Request request) throws IOException {
            open();
            events("{\"type\":\"RUN_STARTED\",\"threadId\":%s,\"runId\":%s}"
                    .formatted(request.body().get("threadId"), request.body().get("runId")));
        }

        public void events(String... events) throws IOException {
            for (String event : events) {
                raw("data: " + event + "\n\n");
            }
        }

        public void finish(Request request) throws IOException {
            events("{\"type\":\"RUN_FINISHED\",\"threadId\":%s,\"runId\":%s}"
                    .formatted(request.body().get("threadId"), request.body().get("runId")));
        }

        /** @param text sent unchanged */
        public void raw(String text) throws IOException {
            OutputStream out = exchange.getResponseBody();
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Sends no more, and keeps the connection until the test is over. */
        public void hang() throws InterruptedException {
            closing.await(60, TimeUnit.SECONDS);
        }

        /** Sends no bytes for some time. */
        public void pause(long millis) throws InterruptedException {
            closing.await(millis, TimeUnit.MILLISECONDS);
        }

        /** Sends only heartbeats for some time. */
        public void beatFor(long millis) throws IOException, InterruptedException {
            for (long end = System.nanoTime() + millis * 1_000_000; System.nanoTime() < end; ) {
                raw(": still here\n\n");
                closing.await(20, TimeUnit.MILLISECONDS);
            }
        }

        /** Sends heartbeats until the other side has hung up; true if it has. */
        public boolean awaitHangUp() throws InterruptedException {
            for (int i = 0; i < 3_000 && !closing.await(10, TimeUnit.MILLISECONDS); i++) {
                try {
                    if (!opened) {
                        open();
                    }
                    raw(": still here\n\n");
                } catch (IOException gone) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
    }
}
