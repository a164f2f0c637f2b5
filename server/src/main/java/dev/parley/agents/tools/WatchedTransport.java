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
 * Stands between the SDK's client and the wire, and adds what the client lacks: a request can be taken back, notifications
 * cannot make it fetch lists without end, and nothing is remembered of what nobody waits for any more.
 */
final class WatchedTransport implements McpClientTransport {
    /** The code of an error that no server sends: the request has not been done, and can be made again elsewhere. */
    static final int SESSION_LOST = -32_777;

    private final McpClientTransport wire;
    private final Runnable listChanged;
    private final Runnable troubled;
    private final Map<Object, Object> underWay = new ConcurrentHashMap<>();

    /** The client does not say under which id it sent something; what it sent is known by being the same thing. */
    private final Map<Object, Object> ids = Collections.synchronizedMap(new IdentityHashMap<>());

    private final AtomicInteger cancelling = new AtomicInteger();
    private volatile boolean over;
    private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = message -> message;

    /** @param troubled told of failures that no request may ever hear of, such as an answer that broke off */
    WatchedTransport(McpClientTransport wire, Runnable listChanged, Runnable troubled) {
        this.wire = wire;
        this.listChanged = listChanged;
        this.troubled = troubled;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client) {
        handler = client;
        return wire.connect(incoming ->
                incoming.flatMap(message -> isForClient(message) ? client.apply(Mono.just(message)) : Mono.empty()));
    }

    private boolean isForClient(JSONRPCMessage message) {
        if (message instanceof JSONRPCNotification notification) {
            if (McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(notification.method())) {
                listChanged.run();
            }
            return false;
        }
        // An answer that comes too late has nobody who waits for it.
        return !(message instanceof JSONRPCResponse response) || response.id() != null && forget(response.id());
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (over) {
            return Mono.error(new IOException("The connection is closed."));
        }
        if (message instanceof JSONRPCRequest request && request.id() != null) {
            Object params = request.params() == null ? request : request.params();
            underWay.put(request.id(), params);
            ids.put(params, request.id());
        }
        return wire.sendMessage(message);
    }

    /** Nothing is sent from now on: a client that was closed would connect again for its next request. */
    void finish() {
        over = true;
    }

    /** Tells the server that nobody waits for a request any more, and the client that no answer will come. */
    void takeBack(Object params, String reason) {
        Object id = ids.get(params);
        if (id == null || !forget(id)) {
            return;
        }
        cancelling.incrementAndGet();
        wire.sendMessage(new JSONRPCNotification("notifications/cancelled", Map.of("requestId", id, "reason", reason)))
                .doFinally(end -> cancelling.decrementAndGet())
                .subscribe(done -> {}, gone -> {});
        answerWith(id, McpSchema.ErrorCodes.INTERNAL_ERROR, reason);
    }

    /**
     * The server has forgotten the session. The SDK drops what is under way in it, now and then before whoever asked has
     * heard why. What alone was under way is what was refused, and has not been done; of several, one may have been.
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
        // The client would begin anew behind our back.
        wire.setExceptionHandler(failure -> {
            if (failure instanceof McpTransportSessionNotFoundException) {
                sessionLost();
            }
            troubled.run();
        });
    }

    @Override
    public List<String> protocolVersions() {
        return wire.protocolVersions();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return wire.closeGracefully();
    }

    @Override
    public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
        return wire.unmarshalFrom(data, type);
    }
}
