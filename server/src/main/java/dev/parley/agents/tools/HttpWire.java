package dev.parley.agents.tools;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The SDK's transport over HTTP, whose client ends with it: the SDK would leave it to the garbage collector. */
record HttpWire(McpClientTransport wire, HttpClient client) implements McpClientTransport {
    /** For the word that the session is over. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return wire.connect(handler);
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return wire.sendMessage(message);
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        wire.setExceptionHandler(handler);
    }

    @Override
    public List<String> protocolVersions() {
        return wire.protocolVersions();
    }

    @Override
    public Mono<Void> closeGracefully() {
        // Not at once: what is still being cancelled would be told of it as a failure, and has nobody who listens.
        return wire.closeGracefully().timeout(CLOSE_TIMEOUT).onErrorComplete().doFinally(end -> client.shutdown());
    }

    @Override
    public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
        return wire.unmarshalFrom(data, type);
    }
}
