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
 * MCP over a program's standard streams: a message a line. It is ours and not the SDK's because that one hands down more
 * of the environment, leaves grandchildren behind, and lets calls wait for their time-out when the program is gone.
 */
final class StdioTransport implements McpClientTransport {
    private static final Logger LOG = LoggerFactory.getLogger(StdioTransport.class);

    /** A program that reads nothing must not make callers wait at a full pipe. */
    private static final int MAX_WAITING = 256;

    private final String name;
    private final ToolProgram child;
    private final McpJsonMapper mapper;
    private final int maxMessage;
    private final Runnable ended;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    /** @param ended told once the program says nothing more, or nothing sensible */
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
            child.whenOver(ended);
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
                        LOG.warn("{} sent a message of more than {} bytes", name, maxMessage);
                        return;
                    }
                } else {
                    take(line.toString(StandardCharsets.UTF_8), handler);
                    line.reset();
                }
            }
        } catch (IOException gone) {
            LOG.debug("{} sends nothing more", name, gone);
        }
    }

    /** What is not a message is passed over: programs print greetings. */
    private void take(String line, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        if (line.isBlank()) {
            return;
        }
        try {
            handler.apply(Mono.just(McpSchema.deserializeJsonRpcMessage(mapper, line)))
                    .subscribe(taken -> {}, failure -> LOG.debug("A message of {} could not be taken", name, failure));
        } catch (IOException | RuntimeException notOne) {
            LOG.debug("{} sent a line that is no message", name, notOne);
        }
    }

    private void write() {
        try (OutputStream input = child.input()) {
            while (true) {
                input.write(waiting.take());
                input.flush();
            }
        } catch (IOException | InterruptedException over) {
            LOG.debug("{} is sent nothing more", name);
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromCallable(() -> {
                    String line = mapper.writeValueAsString(message) + "\n";
                    if (!waiting.offer(line.getBytes(StandardCharsets.UTF_8))) {
                        throw new IOException("It does not read what it is sent.");
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
