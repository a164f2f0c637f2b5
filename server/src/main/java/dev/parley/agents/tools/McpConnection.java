package dev.parley.agents.tools;

import dev.parley.assembly.OneLine;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * One connection to a tool server (<a href="https://modelcontextprotocol.io/specification">Model Context Protocol</a>).
 * A broken or closed connection is never reopened; its user creates a new connection.
 */
final class McpConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(McpConnection.class);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);
    private static final int MAX_PAGES = 32;
    private static final int MAX_REFUSAL = 1_000;

    /** Timeouts of the SDK's client, longer than all timeouts of this class. */
    private static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(15);

    private final String name;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicBoolean pinging = new AtomicBoolean();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;
    private volatile boolean initialized;
    private volatile boolean abandoned;
    private final WatchedTransport transport;
    private final McpAsyncClient client;

    /**
     * @param factory creates the transport, which runs the given action after the server has ended
     * @param listChanged runs after the server has announced a change of its tools
     */
    McpConnection(String name, Function<Runnable, McpClientTransport> factory, Runnable listChanged) {
        this.name = name;
        transport = new WatchedTransport(factory.apply(this::close), listChanged, this::checkAlive);
        client = McpClient.async(transport)
                .clientInfo(new McpSchema.Implementation("parley", "1"))
                .requestTimeout(CLIENT_TIMEOUT)
                .initializationTimeout(CLIENT_TIMEOUT)
                .jsonSchemaValidator((schema, content) -> {
                    throw new UnsupportedOperationException("Results are not validated.");
                })
                .build();
    }

    boolean isOpen() {
        return open.get();
    }

    /** True if the connection is open and its handshake done. */
    boolean isReady() {
        return initialized && isOpen();
    }

    /** True if the connection was given up because its user was interrupted. Such an end is not a failure. */
    boolean isAbandoned() {
        return abandoned;
    }

    void initialize(Duration timeout) throws ToolFailure, InterruptedException {
        await(client.initialize(), timeout, null);
        initialized = true;
    }

    /** @param timeout the limit for all pages of the list together */
    void list(ToolCatalogue catalogue, Duration timeout) throws ToolFailure, InterruptedException {
        if (client.getServerCapabilities() == null
                || client.getServerCapabilities().tools() == null) {
            return;
        }
        long until = System.nanoTime() + timeout.toNanos();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES && !catalogue.isFull(); page++) {
            Duration left = Duration.ofNanos(Math.max(until - System.nanoTime(), 0));
            McpSchema.ListToolsResult result = await(client.listTools(cursor), left, null);
            catalogue.add(result.tools());
            cursor = result.nextCursor();
            if (cursor == null || cursor.isEmpty()) {
                return;
            }
        }
    }

    McpSchema.CallToolResult call(String tool, ObjectNode arguments, Duration timeout)
            throws ToolFailure, InterruptedException {
        // The values stay JSON nodes, so that numbers keep their digits.
        Map<String, Object> values = new LinkedHashMap<>();
        arguments.forEachEntry(values::put);
        McpSchema.CallToolRequest request = new McpSchema.CallToolRequest(tool, values);
        return await(client.callTool(request), timeout, request);
    }

    /**
     * @param params identifies the request for its cancellation; null for requests whose timeout breaks the connection
     */
    private <T> T await(Mono<T> answer, Duration timeout, @Nullable Object params)
            throws ToolFailure, InterruptedException {
        CompletableFuture<T> future = answer.toFuture();
        try {
            T value = future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (value == null) {
                throw new ToolFailure(ToolFailure.Kind.BROKEN, "The tool's server sent no answer.");
            }
            return value;
        } catch (TimeoutException slow) {
            throw params == null
                    ? new ToolFailure(ToolFailure.Kind.BROKEN, "There was no answer in time.")
                    : new ToolFailure(
                            ToolFailure.Kind.TIMEOUT,
                            "There was no answer within " + timeout.toSeconds() + " seconds.");
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } finally {
            if (!future.isDone()) {
                if (params != null) {
                    transport.cancel(params, "The caller no longer waits for the answer.");
                }
                future.cancel(true);
            }
        }
    }

    private ToolFailure failure(@Nullable Throwable thrown) {
        LOG.debug("Tool server {} did not answer", name, thrown);
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof McpTransportSessionNotFoundException || isSessionLost(cause)) {
                return new ToolFailure(ToolFailure.Kind.SESSION_LOST, "The tool's server has been restarted.");
            }
            if (cause instanceof McpError refused) {
                return new ToolFailure(
                        ToolFailure.Kind.REFUSED,
                        "The tool's server refused: " + OneLine.of(String.valueOf(refused.getMessage()), MAX_REFUSAL));
            }
        }
        return new ToolFailure(
                ToolFailure.Kind.BROKEN,
                isOpen()
                        ? "The tool's server could not be reached, or its answer could not be read."
                        : "The tool's server ended before it answered.");
    }

    private static boolean isSessionLost(Throwable cause) {
        return cause instanceof McpError error
                && error.getJsonRpcError() != null
                && Integer.valueOf(WatchedTransport.SESSION_LOST)
                        .equals(error.getJsonRpcError().code());
    }

    /** Pings the server after a failure of the transport, and closes the connection if the ping fails. */
    private void checkAlive() {
        if (!isOpen() || pinging.getAndSet(true)) {
            return;
        }
        Thread.startVirtualThread(() -> {
            try {
                await(client.ping(), PING_INTERVAL, null);
            } catch (ToolFailure none) {
                if (none.kind() != ToolFailure.Kind.REFUSED) {
                    close();
                }
            } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
            } finally {
                pinging.set(false);
            }
        });
    }

    /** Gives the connection up and closes it in the background; {@link #close} waits until the connection is closed. */
    void abandon() {
        abandoned = true;
        open.set(false);
        Thread.startVirtualThread(this::close);
    }

    /**
     * Closes the connection and ends its program. A concurrent call returns after the first call has closed the
     * connection.
     */
    @Override
    public void close() {
        open.set(false);
        closing.lock();
        try {
            if (!closed) {
                closed = true;
                transport.finish();
                client.close();
            }
        } finally {
            closing.unlock();
        }
    }
}
