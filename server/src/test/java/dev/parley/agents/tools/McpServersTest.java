package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Servers of MCP as others made them, started and called. */
class McpServersTest {
    private static final NodeProject PROJECT = NodeProject.installed("mcp");
    private static final String EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";

    private static ToolServers servers(String name, ObjectNode config) {
        return new ToolServers(
                Map.of(name, ToolServerConfig.read(name, config)),
                new Outbound(Set.of()),
                new Secrets(Map.of()),
                Clock.systemUTC());
    }

    private static ObjectNode everything() {
        ObjectNode config = Json.MAPPER.createObjectNode().put("command", NodeProject.node());
        config.putArray("args")
                .add(PROJECT.folder().resolve(EVERYTHING).toString())
                .add("stdio");
        return config;
    }

    @Test
    void toolsAreListedAndCalled() throws InterruptedException {
        try (ToolServers servers = servers("every", everything())) {
            List<ServerTool> tools = servers.list(List.of("every"));
            assertThat(tools).extracting(ServerTool::name).contains("every__echo", "every__get-sum");
            ServerTool echo = tools.stream()
                    .filter(tool -> tool.tool().equals("echo"))
                    .findFirst()
                    .orElseThrow();
            assertThat(echo.schema().at("/properties/message/type").asString()).isEqualTo("string");
            ToolOutcome outcome =
                    servers.call(echo, Json.MAPPER.createObjectNode().put("message", "hello"));
            assertThat(outcome).isEqualTo(new ToolOutcome("Echo: hello", false));
        }
    }
}
