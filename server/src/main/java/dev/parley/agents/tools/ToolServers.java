package dev.parley.agents.tools;

import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The front door of the tools that this server calls for its agents. Each tool server is connected on first use, once
 * per node. A failure becomes a sentence for the model, never an exception.
 */
public final class ToolServers implements AutoCloseable {
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, ToolServer> servers;

    /** @param configs the tool servers by their names */
    public ToolServers(Map<String, ToolServerConfig> configs, Outbound outbound, Secrets secrets, Clock clock) {
        this(configs, outbound, secrets, clock, HANDSHAKE_TIMEOUT, CLOSE_TIMEOUT);
    }

    /**
     * @param greeting timeout of the handshake
     * @param grace longest wait for the program to end by itself before it is signalled
     */
    ToolServers(
            Map<String, ToolServerConfig> configs,
            Outbound outbound,
            Secrets secrets,
            Clock clock,
            Duration greeting,
            Duration grace) {
        ToolTransports transports = new ToolTransports(outbound, secrets, grace);
        servers = configs.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey,
                        each -> new ToolServer(each.getValue(), transports, secrets, clock, greeting)));
    }

    /** The tools of the named servers, in the order of the names. An unknown or unreachable server has no tools. */
    public List<ServerTool> list(Collection<String> names) throws InterruptedException {
        List<Callable<List<ServerTool>>> listings = new ArrayList<>();
        names.stream()
                .distinct()
                .map(servers::get)
                .filter(Objects::nonNull)
                .forEach(server -> listings.add(server::list));
        if (listings.isEmpty()) {
            return List.of();
        }
        // The servers are asked in parallel, so that several silent servers cost only one timeout together.
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<ServerTool> tools = new ArrayList<>();
            for (Future<List<ServerTool>> answer : executor.invokeAll(listings)) {
                tools.addAll(answer.get());
            }
            return List.copyOf(tools);
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        }
    }

    /**
     * Calls a tool. This method does not check the approval; the caller must have checked it.
     *
     * @throws InterruptedException the run was stopped; the server's call is cancelled
     */
    public ToolOutcome call(ServerTool tool, ObjectNode arguments) throws InterruptedException {
        ToolServer server = servers.get(tool.server());
        return server == null ? ToolOutcome.failed("There is no such tool.") : server.call(tool, arguments);
    }

    /** Ends all connections and their programs. */
    @Override
    public void close() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            servers.values().forEach(server -> executor.execute(server::close));
        }
    }
}
