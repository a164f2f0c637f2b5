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

/** The SDK's transport over HTTP. It closes the HTTP client, which the SDK would leave to the garbage collector. */
record HttpTransport(McpClientTransport transport, HttpClient client) implements McpClientTransport {
    /** Longest wait for the message that ends the session. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return transport.connect(handler);
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return transport.sendMessage(message);
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        transport.setExceptionHandler(handler);
    }

    @Override
    public List<String> protocolVersions() {
        return transport.protocolVersions();
    }

    @Override
    public Mono<Void> closeGracefully() {
        // The client is shut down last. Otherwise requests that are still being cancelled would fail,
        // and no caller would handle the failure.
        return transport
                .closeGracefully()
                .timeout(CLOSE_TIMEOUT)
                .onErrorComplete()
                .doFinally(end -> client.shutdown());
    }

    @Override
    public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
        return transport.unmarshalFrom(data, type);
    }
}
