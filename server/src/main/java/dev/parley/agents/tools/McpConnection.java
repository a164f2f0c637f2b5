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

/** One connection to a server of tools. Once broken or closed it stays so; whoever needs it makes another. */
final class McpConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(McpConnection.class);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);
    private static final int MAX_PAGES = 32;
    private static final int MAX_REFUSAL = 1_000;

    /** The client's own limits are a net below ours. */
    private static final Duration NEVER = Duration.ofMinutes(15);

    private final String name;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;
    private volatile boolean greeted;
    private volatile boolean abandoned;
    private final WatchedTransport transport;
    private final McpAsyncClient client;

    /**
     * @param wire makes the transport; given what it must run when the other side is gone
     * @param listChanged run when the server says that it has other tools now
     */
    McpConnection(String name, Function<Runnable, McpClientTransport> wire, Runnable listChanged) {
        this.name = name;
        transport = new WatchedTransport(wire.apply(this::close), listChanged, this::lookAfter);
        client = McpClient.async(transport)
                .clientInfo(new McpSchema.Implementation("parley", "1"))
                .requestTimeout(NEVER)
                .initializationTimeout(NEVER)
                .jsonSchemaValidator((schema, content) -> {
                    throw new UnsupportedOperationException("Nothing is validated here.");
                })
                .build();
    }

    boolean isOpen() {
        return open.get();
    }

    /** Whether it is open and the server was greeted. */
    boolean isReady() {
        return greeted && isOpen();
    }

    /** Whether it ended because nobody wanted it any more, and not by a failure. */
    boolean isAbandoned() {
        return abandoned;
    }

    void greet(Duration timeout) throws ToolFailure, InterruptedException {
        await(client.initialize(), timeout, null);
        greeted = true;
    }

    /** @param timeout for all pages together */
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
        // Nodes are written as they are, so that a number keeps its digits.
        Map<String, Object> values = new LinkedHashMap<>();
        arguments.forEachEntry(values::put);
        McpSchema.CallToolRequest request = new McpSchema.CallToolRequest(tool, values);
        return await(client.callTool(request), timeout, request);
    }

    /** @param params what was sent, by which it can be taken back; null for what no connection does without */
    private <T> T await(Mono<T> answer, Duration timeout, @Nullable Object params)
            throws ToolFailure, InterruptedException {
        CompletableFuture<T> coming = answer.toFuture();
        try {
            T value = coming.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (value == null) {
                throw new ToolFailure(ToolFailure.Kind.BROKEN, "The tool's server sent no answer.");
            }
            return value;
        } catch (TimeoutException slow) {
            throw params == null
                    ? new ToolFailure(ToolFailure.Kind.BROKEN, "There was no answer in time.")
                    : new ToolFailure(
                            ToolFailure.Kind.SLOW, "There was no answer within " + timeout.toSeconds() + " seconds.");
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } finally {
            if (!coming.isDone()) {
                if (params != null) {
                    transport.takeBack(params, "Nobody waits for it any more.");
                }
                coming.cancel(true);
            }
        }
    }

    private ToolFailure failure(@Nullable Throwable thrown) {
        LOG.debug("{} did not answer", name, thrown);
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof McpTransportSessionNotFoundException || isSessionLost(cause)) {
                return new ToolFailure(ToolFailure.Kind.FORGOTTEN, "The tool's server has been restarted.");
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
                        ? "The tool's server could not be reached, or its answer not be read."
                        : "The tool's server ended before it answered.");
    }

    private static boolean isSessionLost(Throwable cause) {
        return cause instanceof McpError error
                && error.getJsonRpcError() != null
                && Integer.valueOf(WatchedTransport.SESSION_LOST)
                        .equals(error.getJsonRpcError().code());
    }

    /** After a failure on the wire nobody may be there any more to answer what was asked. */
    private void lookAfter() {
        if (!isOpen() || looking.getAndSet(true)) {
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
                looking.set(false);
            }
        });
    }

    /** Gives it up without waiting for its end, which somebody else waits for by closing it. */
    void abandon() {
        abandoned = true;
        open.set(false);
        Thread.startVirtualThread(this::close);
    }

    /** Also ends the program behind it; returns when that is done, whoever did it. */
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
