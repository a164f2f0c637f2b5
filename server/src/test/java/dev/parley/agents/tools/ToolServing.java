package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** One tool server under test, named {@code srv}. */
final class ToolServing implements AutoCloseable {
    static final NodeProject PROJECT = NodeProject.installed("mcp");
    static final String NAME = "srv";
    static final String SECRET = "hunter2-hunter2";
    private static final Duration GREETING = Duration.ofSeconds(30);
    /** Shorter than the default, so that programs which do not end by themselves are soon killed. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final ToolServers servers;

    private ToolServing(ToolServers servers) {
        this.servers = servers;
    }

    static ToolServing of(ObjectNode config) {
        return of(config, Clock.systemUTC(), GREETING);
    }

    static ToolServing of(ObjectNode config, Clock clock, Duration greeting) {
        return new ToolServing(new ToolServers(
                Map.of(NAME, ToolServerConfig.read(NAME, config)),
                new Outbound(Set.of()),
                new Secrets(Map.of("token", SECRET)),
                clock,
                greeting,
                CLOSE_TIMEOUT));
    }

    /** The configuration of a script of the folder, run by node with arguments. */
    static ObjectNode script(String path, String... arguments) {
        ObjectNode config = Json.MAPPER.createObjectNode().put("command", NodeProject.node());
        config.putArray("args").add(PROJECT.folder().resolve(path).toString());
        for (String argument : arguments) {
            config.withArray("args").add(argument);
        }
        return config;
    }

    static ObjectNode everything() {
        return script("node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio");
    }

    static ObjectNode hostile(String way) {
        return script("hostile.mjs", way);
    }

    static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    List<ServerTool> list() throws InterruptedException {
        return servers.list(List.of(NAME));
    }

    List<String> names() throws InterruptedException {
        return list().stream().map(ServerTool::tool).toList();
    }

    ToolOutcome call(String tool, String arguments) throws InterruptedException {
        ServerTool called = new ServerTool(NAME + "__" + tool, NAME, tool, "", json("{}"), false);
        return servers.call(called, json(arguments));
    }

    String text(String tool) throws InterruptedException {
        ToolOutcome outcome = call(tool, "{}");
        assertThat(outcome.error()).as(outcome.text()).isFalse();
        return outcome.text();
    }

    ProcessHandle process(String toolThatTellsAPid) throws InterruptedException {
        return ProcessHandle.of(Long.parseLong(text(toolThatTellsAPid))).orElseThrow();
    }

    @Override
    public void close() {
        servers.close();
    }
}
