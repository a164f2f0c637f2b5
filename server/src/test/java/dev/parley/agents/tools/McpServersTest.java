package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.NodeProject;
import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** MCP servers of other makers, over both transports. */
class McpServersTest {
    private static final Duration READY = Duration.ofSeconds(60);

    private static ChildProcess overHttp(int port) throws IOException {
        ChildProcess server = ChildProcess.start(
                ToolServing.PROJECT.folder(),
                Map.of("PORT", Integer.toString(port)),
                List.of(
                        NodeProject.node(),
                        "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
                        "streamableHttp"));
        server.awaitLine("listening on port", READY);
        return server;
    }

    private static ObjectNode at(int port) {
        return ToolServing.json("{\"url\":\"http://127.0.0.1:" + port + "/mcp\",\"timeout_seconds\":20}");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void assertWorks(ToolServing serving) throws InterruptedException {
        List<ServerTool> tools = serving.list();
        ServerTool echo = tools.stream()
                .filter(tool -> tool.tool().equals("echo"))
                .findFirst()
                .orElseThrow();
        assertThat(echo.name()).isEqualTo("srv__echo");
        assertThat(echo.description()).isEqualTo("Echoes back the input string");
        assertThat(echo.schema().at("/properties/message/type").asString()).isEqualTo("string");
        assertThat(echo.approval()).isTrue();
        assertThat(serving.call("echo", "{\"message\":\"grüß 好\"}")).isEqualTo(new ToolOutcome("Echo: grüß 好", false));
        assertThat(serving.call("get-sum", "{\"a\":2,\"b\":3.5}").text()).contains("5.5");
        assertThat(serving.call("get-structured-content", "{\"location\":\"Chicago\"}")
                        .text())
                .isEqualTo("{\"temperature\":36,\"conditions\":\"Light rain / drizzle\",\"humidity\":82}");
        assertThat(serving.text("get-tiny-image")).contains("[An image, image/png, about ");
        assertThat(serving.call("get-resource-links", "{\"count\":1}").text()).contains("[A link to the resource ");
        assertThat(serving.call("echo", "{\"message\":5}").error())
                .as("invalid arguments")
                .isTrue();
        assertThat(serving.call("no-such-tool", "{}").error())
                .as("an unknown tool")
                .isTrue();
    }

    @Test
    void everythingWorksOverStandardStreams() throws InterruptedException {
        try (ToolServing serving = ToolServing.of(ToolServing.everything())) {
            assertWorks(serving);
        }
    }

    @Test
    void everythingWorksOverHttpAndAgainAfterARestart() throws Exception {
        int port = freePort();
        try (ToolServing serving = ToolServing.of(at(port))) {
            try (ChildProcess server = overHttp(port)) {
                assertThat(server.running()).isTrue();
                assertWorks(serving);
            }
            assertThat(serving.call("echo", "{\"message\":\"a\"}").error()).isTrue();
            try (ChildProcess server = overHttp(port)) {
                assertThat(server.running()).isTrue();
                assertThat(serving.call("echo", "{\"message\":\"b\"}").text()).isEqualTo("Echo: b");
            }
            try (ChildProcess server = overHttp(port)) {
                assertThat(server.running()).isTrue();
                assertThat(serving.call("echo", "{\"message\":\"c\"}"))
                        .as("after an unnoticed restart the call is repeated")
                        .isEqualTo(new ToolOutcome("Echo: c", false));
            }
        }
    }

    @Test
    void remoteServerThatIsKilledDuringACallIsNotWaitedFor() throws Exception {
        int port = freePort();
        try (ToolServing serving = ToolServing.of(at(port).put("timeout_seconds", 300))) {
            AtomicReference<ToolOutcome> outcome = new AtomicReference<>();
            Thread caller;
            try (ChildProcess server = overHttp(port)) {
                assertThat(serving.names()).contains("trigger-long-running-operation");
                caller = Thread.ofVirtual().start(() -> {
                    try {
                        outcome.set(serving.call("trigger-long-running-operation", "{\"duration\":300,\"steps\":300}"));
                    } catch (InterruptedException unexpected) {
                        Thread.currentThread().interrupt();
                    }
                });
                await().atMost(READY).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
                server.awaitLine("Received MCP POST request", READY);
            }
            assertThat(caller.join(READY)).isTrue();
            assertThat(outcome.get().error()).isTrue();
        }
    }

    @Test
    void programSeesItsEnvironmentAndItsSecretsAreMasked() throws InterruptedException {
        ObjectNode config = ToolServing.everything();
        config.putObject("env").put("TOKEN", "Bearer ${secret:token}").put("COLOUR", "blue");
        try (ToolServing serving = ToolServing.of(config)) {
            ObjectNode seen = ToolServing.json(serving.text("get-env"));
            assertThat(seen.propertyNames()).containsOnly("TOKEN", "COLOUR", "PATH", "HOME");
            assertThat(seen.path("COLOUR").asString()).isEqualTo("blue");
            assertThat(seen.path("TOKEN").asString()).isEqualTo("Bearer ****");
        }
    }

    @Test
    void aSlowCallEndsAtItsLimitAndTheServerServesOn() throws InterruptedException {
        try (ToolServing serving = ToolServing.of(ToolServing.everything().put("timeout_seconds", 2))) {
            ToolOutcome slow = serving.call("trigger-long-running-operation", "{\"duration\":30,\"steps\":1}");
            assertThat(slow).isEqualTo(new ToolOutcome("There was no answer within 2 seconds.", true));
            assertThat(serving.call("echo", "{\"message\":\"on\"}").text()).isEqualTo("Echo: on");
        }
    }

    @Test
    void filesAreReadAndOnlyWhereTheServerMay(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.toRealPath().resolve("note.txt"), "written here");
        ObjectNode config = ToolServing.script(
                "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
                folder.toRealPath().toString());
        config.putArray("tools").add("read_text_file").add("write_file");
        config.putObject("approval").putArray("except").add("read_text_file");
        try (ToolServing serving = ToolServing.of(config)) {
            assertThat(serving.list())
                    .extracting(ServerTool::tool, ServerTool::approval)
                    .containsExactlyInAnyOrder(tuple("read_text_file", false), tuple("write_file", true));
            assertThat(serving.call("read_text_file", "{\"path\":\"" + file + "\"}"))
                    .isEqualTo(new ToolOutcome("written here", false));
            assertThat(serving.call("read_text_file", "{\"path\":\"/etc/hostname\"}")
                            .error())
                    .isTrue();
            assertThat(serving.call("list_directory", "{\"path\":\"" + folder + "\"}"))
                    .as("a tool that is not offered")
                    .isEqualTo(new ToolOutcome("There is no such tool.", true));
        }
    }
}
