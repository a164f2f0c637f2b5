package dev.parley.agents.tools;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * MCP over a program's standard streams, one message per line (<a
 * href="https://modelcontextprotocol.io/specification/2025-06-18/basic/transports">MCP: transports</a>). The SDK's
 * transport is not used: it passes on more of the environment, leaves grandchildren running, and lets calls wait for
 * their timeout even if the program has already ended.
 */
final class StdioTransport implements McpClientTransport {
    private static final Logger LOG = LoggerFactory.getLogger(StdioTransport.class);

    /** Limit of messages that wait for a program that does not read. Callers must not block at a full pipe. */
    private static final int MAX_WAITING = 256;

    private final String name;
    private final ToolProgram child;
    private final McpJsonMapper mapper;
    private final int maxMessage;
    private final Runnable ended;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    /** @param ended runs after the program has ended, closed its output or sent too much */
    StdioTransport(String name, ToolProgram child, McpJsonMapper mapper, int maxMessage, Runnable ended) {
        this.name = name;
        this.child = child;
        this.mapper = mapper;
        this.maxMessage = maxMessage;
        this.ended = ended;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(() -> {
            child.onExit(ended);
            Thread writer = Thread.ofPlatform()
                    .daemon()
                    .name("tools-" + name + "-writer")
                    .start(this::write);
            Thread.ofPlatform().daemon().name("tools-" + name + "-reader").start(() -> {
                try {
                    read(handler);
                } finally {
                    writer.interrupt();
                    ended.run();
                }
            });
        });
    }

    private void read(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        try (InputStream output = new BufferedInputStream(child.output())) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = output.read(); next >= 0; next = output.read()) {
                if (next != '\n') {
                    line.write(next);
                    if (line.size() > maxMessage) {
                        LOG.warn(
                                "Tool server {} sent a message of more than {} bytes; closing its connection",
                                name,
                                maxMessage);
                        return;
                    }
                } else {
                    take(line.toString(StandardCharsets.UTF_8), handler);
                    line.reset();
                }
            }
        } catch (IOException gone) {
            LOG.debug("Tool server {} closed its output", name, gone);
        }
    }

    /** Handles a line; lines that are no messages are ignored, since programs print greetings. */
    private void take(String line, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        if (line.isBlank()) {
            return;
        }
        try {
            handler.apply(Mono.just(McpSchema.deserializeJsonRpcMessage(mapper, line)))
                    .subscribe(
                            taken -> {},
                            failure -> LOG.debug("Could not handle a message of tool server {}", name, failure));
        } catch (IOException | RuntimeException notOne) {
            LOG.debug("Tool server {} sent a line that is no message; ignoring it", name, notOne);
        }
    }

    private void write() {
        try (OutputStream input = child.input()) {
            while (true) {
                input.write(waiting.take());
                input.flush();
            }
        } catch (IOException | InterruptedException over) {
            LOG.debug("Tool server {} no longer reads its input", name);
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromCallable(() -> {
                    String line = mapper.writeValueAsString(message) + "\n";
                    if (!waiting.offer(line.getBytes(StandardCharsets.UTF_8))) {
                        throw new IOException("The program does not read its input.");
                    }
                    return line;
                })
                .then();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(child::end);
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return mapper.convertValue(data, type);
    }
}
