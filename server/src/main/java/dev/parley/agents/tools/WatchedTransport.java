package dev.parley.agents.tools;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Wraps the transport of the SDK's client and adds features that the client lacks: requests can be cancelled (<a
 * href="https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/cancellation">MCP: cancellation</a>),
 * notifications cannot make the client fetch lists without end, and abandoned requests are forgotten.
 */
final class WatchedTransport implements McpClientTransport {
    /**
     * The error code of a request that failed because the server lost the session. The server has not carried out the
     * request, so the request can be repeated in another session. No server sends this code itself.
     */
    static final int SESSION_LOST = -32_777;

    private final McpClientTransport transport;
    private final Runnable listChanged;
    private final Runnable onTrouble;
    private final Map<Object, Object> underWay = new ConcurrentHashMap<>();

    /** Ids of requests by the identity of their params, because the client does not reveal the id of a request. */
    private final Map<Object, Object> ids = Collections.synchronizedMap(new IdentityHashMap<>());

    private final AtomicInteger cancelling = new AtomicInteger();
    private volatile boolean finished;
    private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = message -> message;

    /** @param onTrouble runs after failures that no request reports, such as a truncated answer */
    WatchedTransport(McpClientTransport transport, Runnable listChanged, Runnable onTrouble) {
        this.transport = transport;
        this.listChanged = listChanged;
        this.onTrouble = onTrouble;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client) {
        handler = client;
        return transport.connect(incoming ->
                incoming.flatMap(message -> isForClient(message) ? client.apply(Mono.just(message)) : Mono.empty()));
    }

    private boolean isForClient(JSONRPCMessage message) {
        if (message instanceof JSONRPCNotification notification) {
            if (McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(notification.method())) {
                listChanged.run();
            }
            return false;
        }
        // An answer to a cancelled request is dropped.
        return !(message instanceof JSONRPCResponse response) || response.id() != null && forget(response.id());
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (finished) {
            return Mono.error(new IOException("The connection is closed."));
        }
        if (message instanceof JSONRPCRequest request && request.id() != null) {
            Object params = request.params() == null ? request : request.params();
            underWay.put(request.id(), params);
            ids.put(params, request.id());
        }
        return transport.sendMessage(message);
    }

    /** Refuses further messages, since a closed client would connect again for its next request. */
    void finish() {
        finished = true;
    }

    /** Cancels a request: notifies the server, and fails the request in the client. */
    void cancel(Object params, String reason) {
        Object id = ids.get(params);
        if (id == null || !forget(id)) {
            return;
        }
        cancelling.incrementAndGet();
        transport
                .sendMessage(
                        new JSONRPCNotification("notifications/cancelled", Map.of("requestId", id, "reason", reason)))
                .doFinally(end -> cancelling.decrementAndGet())
                .subscribe(done -> {}, gone -> {});
        answerWith(id, McpSchema.ErrorCodes.INTERNAL_ERROR, reason);
    }

    /**
     * Fails the requests under way after the server has lost the session. The SDK drops them, sometimes before the
     * caller learns the reason. If only one request is under way, it is the refused request, which has not been carried
     * out. If several requests are under way, some may have been carried out.
     */
    private void sessionLost() {
        List<Object> waiting = List.copyOf(underWay.keySet());
        int code = waiting.size() == 1 && cancelling.get() == 0 ? SESSION_LOST : McpSchema.ErrorCodes.INTERNAL_ERROR;
        waiting.stream()
                .filter(this::forget)
                .forEach(id -> answerWith(id, code, "The session ended before the server answered."));
    }

    private void answerWith(Object id, int code, String reason) {
        JSONRPCMessage error = JSONRPCResponse.error(id, new JSONRPCResponse.JSONRPCError(code, reason, null));
        handler.apply(Mono.just(error)).subscribe(done -> {}, gone -> {});
    }

    private boolean forget(Object id) {
        Object params = underWay.remove(id);
        if (params != null) {
            ids.remove(params);
        }
        return params != null;
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> client) {
        // The client's own handler is not installed: it would silently start a new session.
        transport.setExceptionHandler(failure -> {
            if (failure instanceof McpTransportSessionNotFoundException) {
                sessionLost();
            }
            onTrouble.run();
        });
    }

    @Override
    public List<String> protocolVersions() {
        return transport.protocolVersions();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return transport.closeGracefully();
    }

    @Override
    public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
        return transport.unmarshalFrom(data, type);
    }
}
