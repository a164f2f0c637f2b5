package dev.parley.testkit.models;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * A model provider for tests. It answers each request with the next script, in the wire format of one provider, and
 * refuses requests that break this provider's published rules.
 */
public final class ScriptedModel implements AutoCloseable {
    private static final Duration LAST_CALL = Duration.ofSeconds(10);

    private final Wire wire;
    private final boolean keyless;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private final Deque<Script> scripts = new ArrayDeque<>();
    private final List<ModelRequest> requests = new ArrayList<>();
    private final List<CompletableFuture<Ending>> endings = new ArrayList<>();
    private @Nullable Function<ModelRequest, Script> otherwise;

    private ScriptedModel(Wire wire, boolean keyless) {
        this.wire = wire;
        this.keyless = keyless;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.add(Thread.ofVirtual().name("scripted-model").start(this::accept));
    }

    public static ScriptedModel start(Wire wire) {
        return new ScriptedModel(wire, false);
    }

    /** Starts a server that needs no credentials, like a local server that uses a provider's format. */
    static ScriptedModel startKeyless(Wire wire) {
        return new ScriptedModel(wire, true);
    }

    public Wire wire() {
        return wire;
    }

    /** The base address for LangChain4j's builder of this provider. */
    public String baseUrl() {
        return origin() + wire.basePath();
    }

    /** Scheme, host and port, for the providers' own SDKs, which know the rest of the path themselves. */
    public String origin() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Answers the next requests with these scripts, after the scripts already waiting. */
    public ScriptedModel next(Script... more) {
        synchronized (lock) {
            scripts.addAll(List.of(more));
        }
        return this;
    }

    /** Sets the answer to requests without a waiting script. By default, such requests are answered 500. */
    public ScriptedModel otherwise(Function<ModelRequest, Script> answer) {
        synchronized (lock) {
            otherwise = answer;
        }
        return this;
    }

    /** All requests so far, in the order of arrival, including refused ones. */
    public List<ModelRequest> requests() {
        synchronized (lock) {
            return List.copyOf(requests);
        }
    }

    /** True if the client closes its connection within the limit and before the answer's end. */
    public boolean awaitClosed(ModelRequest request, Duration limit) {
        return awaitEnding(request, limit).filter(Ending.LEFT::equals).isPresent();
    }

    /** The ending of the answer; empty if it does not end within the limit. */
    Optional<Ending> awaitEnding(ModelRequest request, Duration limit) {
        CompletableFuture<Ending> ending;
        synchronized (lock) {
            ending = endings.get(request.number());
        }
        return Hold.done(ending, limit) ? Optional.of(ending.join()) : Optional.empty();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                threads.add(Thread.ofVirtual().name("scripted-model-session").start(() -> serve(socket)));
            } catch (IOException e) {
                // The server is closing, or the client is gone. The loop's condition tells the two cases apart.
            }
        }
    }

    private void serve(Socket socket) {
        sockets.add(socket);
        try (HttpConnection connection = new HttpConnection(socket)) {
            // The listener is checked again after the registration. Therefore either close() finds this connection, or
            // this check finds the listener closed.
            boolean open = !listener.isClosed();
            while (open) {
                Optional<HttpConnection.Received> received = connection.read();
                open = received.isPresent() && answered(connection, received.get());
            }
        } catch (IOException e) {
            // The client or this server has hung up, and no answer is needed.
        } finally {
            sockets.remove(socket);
        }
    }

    /** Answers a request; true if the connection can take another request. */
    private boolean answered(HttpConnection connection, HttpConnection.Received received) throws IOException {
        HttpConnection.Watch watch = connection.watch();
        ModelRequest request = requestOf(received);
        Performance performance = new Performance(connection, watch.left(), wire.dialect());
        Ending ending = performance.perform(request, scriptFor(request));
        if (ending != Ending.WHOLE) {
            connection.close();
        }
        synchronized (lock) {
            endings.get(request.number()).complete(ending);
        }
        try {
            watch.thread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return ending == Ending.WHOLE && !watch.left().isDone();
    }

    private ModelRequest requestOf(HttpConnection.Received received) {
        JsonNode body = parsed(received.body());
        List<String> violations = body.isObject()
                ? wire.dialect().violations(body)
                : List.of("The body of the request is not a JSON object.");
        synchronized (lock) {
            ModelRequest request = new ModelRequest(
                    requests.size(),
                    received.method(),
                    received.path(),
                    received.headers(),
                    received.body(),
                    body,
                    violations);
            requests.add(request);
            endings.add(new CompletableFuture<>());
            return request;
        }
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private Script scriptFor(ModelRequest request) {
        Dialect dialect = wire.dialect();
        String route = request.route();
        if (!wire.serves(route)) {
            return refusal(404, "There is nothing at " + route);
        }
        if (!request.method().equals("POST")) {
            return refusal(405, request.method() + " is not allowed");
        }
        Optional<String> unauthorized = keyless ? Optional.empty() : dialect.unauthorized(request);
        if (unauthorized.isPresent()) {
            return refusal(401, unauthorized.get());
        }
        if (!request.violations().isEmpty()) {
            return refusal(400, String.join(" ", request.violations()));
        }
        synchronized (lock) {
            Script next = scripts.poll();
            if (next != null) {
                return next;
            }
            return otherwise != null ? otherwise.apply(request) : refusal(500, "No script is left for this request");
        }
    }

    private static Script refusal(int status, String message) {
        return Script.answer().status(status, Map.of(), message);
    }

    /** Closes all connections and returns when all threads have ended. */
    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
            for (Thread thread : threads) {
                thread.join(LAST_CALL);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
