package dev.parley.testkit.chat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An HTTP server on a free port of this machine, for scripted platforms. Tests can plan failures of its calls. */
public final class LocalApi implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Planned> plans = new ArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public LocalApi(Handler handler) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(handler, exchange));
        server.start();
    }

    /** The platform's answer to a call. */
    public interface Handler {
        Answer answer(Request request);
    }

    /** @param query as received; null if there is none */
    public record Request(
            String method, String path, @Nullable String query, Map<String, String> headers, byte[] body) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** The parameters of the query. */
        public Map<String, String> parameters() {
            return form(query == null ? "" : query);
        }

        /** The body as the fields of a form. */
        public Map<String, String> fields() {
            return form(text());
        }

        private static Map<String, String> form(String text) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (String pair : text.split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    fields.put(
                            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
            return fields;
        }
    }

    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public static Answer json(int status, String json) {
            return new Answer(
                    status,
                    Map.of("Content-Type", "application/json; charset=utf-8"),
                    json.getBytes(StandardCharsets.UTF_8));
        }

        public Answer with(String header, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(header, value);
            return new Answer(status, more, body);
        }
    }

    /** The failure of one call. */
    public sealed interface Fault {
        /** Performs the call, and breaks the connection before the answer. */
        record LoseAnswer() implements Fault {}

        /** Breaks the connection before the call is performed. */
        record LoseRequest() implements Fault {}

        /** Performs the call, and never answers. */
        record Hang() implements Fault {}

        /** Performs and answers the call after a while. */
        record Delay(Duration time) implements Fault {}

        /** Gives this answer without performing the call. */
        record Instead(Answer answer) implements Fault {}

        /** Performs the call, but gives this answer. */
        record Although(Answer answer) implements Fault {}
    }

    private record Planned(String pathEnd, Fault fault) {}

    /** The base address, without a slash at the end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * Plans a failure of the next call whose path ends with {@code pathEnd}. Several plans for one path apply in their
     * order.
     */
    public void fail(String pathEnd, Fault fault) {
        synchronized (plans) {
            plans.add(new Planned(pathEnd, fault));
        }
    }

    /** Cancels all planned failures. */
    public void heal() {
        synchronized (plans) {
            plans.clear();
        }
    }

    /** All calls received so far, failed or not, in order. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** The calls whose path ends with {@code pathEnd}. */
    public List<Request> requests(String pathEnd) {
        return requests.stream()
                .filter(request -> request.path().endsWith(pathEnd))
                .toList();
    }

    private void serve(Handler handler, HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = read(exchange);
            requests.add(request);
            Optional<Answer> answer = perform(handler, request);
            if (answer.isPresent()) {
                write(exchange, answer.get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static Request read(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        URI uri = exchange.getRequestURI();
        return new Request(
                exchange.getRequestMethod(),
                uri.getPath(),
                uri.getRawQuery(),
                headers,
                exchange.getRequestBody().readAllBytes());
    }

    /** Returns the answer with any planned fault applied; empty if the connection breaks. */
    private Optional<Answer> perform(Handler handler, Request request) throws InterruptedException {
        return switch (next(request.path())) {
            case null -> Optional.of(answer(handler, request));
            case Fault.LoseRequest lost -> Optional.empty();
            case Fault.Instead instead -> Optional.of(instead.answer());
            case Fault.LoseAnswer lost -> {
                answer(handler, request);
                yield Optional.empty();
            }
            case Fault.Although although -> {
                answer(handler, request);
                yield Optional.of(although.answer());
            }
            case Fault.Hang hang -> {
                answer(handler, request);
                closed.await();
                yield Optional.empty();
            }
            case Fault.Delay delay -> {
                Answer answer = answer(handler, request);
                boolean over = closed.await(delay.time().toMillis(), TimeUnit.MILLISECONDS);
                yield over ? Optional.empty() : Optional.of(answer);
            }
        };
    }

    /**
     * Answers with status 500 if the handler throws, so that a bug in a script appears as a failure of the platform.
     */
    private static Answer answer(Handler handler, Request request) {
        try {
            return handler.answer(request);
        } catch (RuntimeException broken) {
            return new Answer(500, Map.of(), String.valueOf(broken).getBytes(StandardCharsets.UTF_8));
        }
    }

    private @Nullable Fault next(String path) {
        synchronized (plans) {
            for (Planned plan : plans) {
                if (path.endsWith(plan.pathEnd())) {
                    plans.remove(plan);
                    return plan.fault();
                }
            }
            return null;
        }
    }

    private static void write(HttpExchange exchange, Answer answer) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = answer.body();
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
