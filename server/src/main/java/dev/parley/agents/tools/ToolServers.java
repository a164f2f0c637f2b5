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
 * The front door of tools that agents call on the server. Each server is connected when it is first needed, once for the
 * node; whatever goes wrong with it becomes a sentence for the model and never an exception.
 */
public final class ToolServers implements AutoCloseable {
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, ToolServer> servers;

    /** @param configs by their names */
    public ToolServers(Map<String, ToolServerConfig> configs, Outbound outbound, Secrets secrets, Clock clock) {
        this(configs, outbound, secrets, clock, HANDSHAKE_TIMEOUT, CLOSE_TIMEOUT);
    }

    /**
     * @param greeting how long a server may take until it is ready
     * @param grace how long a program may take to end by itself before it is signalled
     */
    ToolServers(
            Map<String, ToolServerConfig> configs,
            Outbound outbound,
            Secrets secrets,
            Clock clock,
            Duration greeting,
            Duration grace) {
        Wires wires = new Wires(outbound, secrets, grace);
        servers = configs.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, each -> new ToolServer(each.getValue(), wires, secrets, clock, greeting)));
    }

    /** The tools of those servers, in their order. One that is not known, or cannot be asked, has none. */
    public List<ServerTool> list(Collection<String> names) throws InterruptedException {
        List<Callable<List<ServerTool>>> questions = new ArrayList<>();
        names.stream()
                .distinct()
                .map(servers::get)
                .filter(Objects::nonNull)
                .forEach(server -> questions.add(server::list));
        if (questions.isEmpty()) {
            return List.of();
        }
        // Side by side, so that one that does not answer delays the others once and not each.
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<ServerTool> tools = new ArrayList<>();
            for (Future<List<ServerTool>> answer : executor.invokeAll(questions)) {
                tools.addAll(answer.get());
            }
            return List.copyOf(tools);
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        }
    }

    /**
     * Calls a tool. Whether it needs an approval is the caller's to see to.
     *
     * @throws InterruptedException the run was stopped: the server is told, and its answer is not waited for
     */
    public ToolOutcome call(ServerTool tool, ObjectNode arguments) throws InterruptedException {
        ToolServer server = servers.get(tool.server());
        return server == null ? ToolOutcome.failed("There is no such tool.") : server.call(tool, arguments);
    }

    /** Ends all connections, and the programs behind them. */
    @Override
    public void close() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            servers.values().forEach(server -> executor.execute(server::close));
        }
    }
}
