package dev.parley.agents.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests to a remote tool server, as that server sees them. */
class HttpTransportTest {
    private final List<String> credentials = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private HttpServer server;

    /** True if the next call is answered with an unknown session. */
    private volatile boolean forgotten;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/tools", this::answer);
        server.createContext("/moved", exchange -> {
            paths.add(exchange.getRequestURI().toString());
            exchange.getResponseHeaders().add("Location", "/tools");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        paths.add(exchange.getRequestURI().toString());
        credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key")));
        JsonNode request = exchange.getRequestMethod().equals("POST")
                ? Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes())
                : Json.MAPPER.createObjectNode();
        if (forgotten && request.path("method").asString("").equals("tools/call")) {
            forgotten = false;
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        String result = switch (request.path("method").asString("")) {
            case "initialize" ->
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}";
            case "tools/list" -> "{\"tools\":[{\"name\":\"say\",\"inputSchema\":{\"type\":\"object\"}}]}";
            case "tools/call" ->
                "{\"content\":[{\"type\":\"text\",\"text\":"
                        + Json.MAPPER.writeValueAsString(said(request.at("/params/arguments")))
                        + "}]}";
            default -> "";
        };
        if (result.isEmpty()) {
            exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? 202 : 405, -1);
        } else {
            byte[] body = ("{\"jsonrpc\":\"2.0\",\"id\":" + request.path("id") + ",\"result\":" + result + "}")
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.getResponseHeaders().add("Mcp-Session-Id", "s1");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static String said(JsonNode arguments) {
        return arguments.has("bytes")
                ? "x".repeat(arguments.path("bytes").asInt())
                : ToolServing.SECRET + " " + Json.MAPPER.writeValueAsString(arguments);
    }

    private ObjectNode config(String path) {
        ObjectNode config = Json.MAPPER
                .createObjectNode()
                .put("url", "http://127.0.0.1:" + server.getAddress().getPort() + path)
                .put("timeout_seconds", 20);
        config.putObject("headers").put("X-Api-Key", "${secret:token}");
        return config;
    }

    @Test
    void headersAreSentWithEveryRequestAndTheirSecretsMaskedInResults() throws InterruptedException {
        try (ToolServing serving = ToolServing.of(config("/tools?tenant=a%20b"))) {
            assertThat(serving.names()).containsExactly("say");
            assertThat(serving.call("say", "{\"a\":1}")).isEqualTo(new ToolOutcome("**** {\"a\":1}", false));
        }
        assertThat(credentials).isNotEmpty().containsOnly(ToolServing.SECRET);
        assertThat(paths).containsOnly("/tools?tenant=a%20b");
    }

    @Test
    void numbersKeepTheirDigits() throws InterruptedException {
        String arguments = "{\"a\":1.10,\"b\":12345678901234567890,\"c\":0.1234567890123456789}";
        try (ToolServing serving = ToolServing.of(config("/tools"))) {
            assertThat(serving.call("say", arguments).text()).isEqualTo("**** " + arguments);
        }
    }

    @Test
    void noRedirectIsFollowed() throws InterruptedException {
        try (ToolServing serving = ToolServing.of(config("/moved"))) {
            assertThat(serving.list()).isEmpty();
        }
        assertThat(paths).isNotEmpty().containsOnly("/moved");
    }

    @Test
    void anAnswerHasALimit() throws InterruptedException {
        try (ToolServing serving = ToolServing.of(config("/tools"))) {
            assertThat(serving.call("say", "{\"bytes\":" + 8 * 1_024 * 1_024 + "}")
                            .error())
                    .isTrue();
            ToolOutcome fitting = serving.call("say", "{\"bytes\":8000000}");
            assertThat(fitting.error()).isFalse();
            assertThat(fitting.text()).contains("it has 8000000 characters");
        }
    }

    @Test
    void unreachableServerHasNoTools() throws InterruptedException {
        ObjectNode config = config("/tools");
        server.stop(0);
        try (ToolServing serving = ToolServing.of(config)) {
            assertThat(serving.list()).isEmpty();
            assertThat(serving.call("say", "{}").error()).isTrue();
        }
    }

    @Test
    void reconnectionLeavesNoClientOpen() throws InterruptedException {
        Set<Thread> before = clients();
        try (ToolServing serving = ToolServing.of(config("/tools"))) {
            for (int round = 0; round < 3; round++) {
                assertThat(serving.call("say", "{}").error()).isFalse();
                forgotten = true;
                assertThat(serving.call("say", "{}").error())
                        .as("the server is connected again")
                        .isFalse();
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> clientsBeside(before) == 1);
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> clientsBeside(before) == 0);
    }

    private static Set<Thread> clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-SelectorManager"))
                .collect(Collectors.toSet());
    }

    private static long clientsBeside(Set<Thread> before) {
        return clients().stream().filter(client -> !before.contains(client)).count();
    }

    @Test
    void missingSecretIsNotReplacedByAnEmptyText() throws InterruptedException {
        ObjectNode config = config("/tools");
        config.putObject("headers").put("X-Api-Key", "${secret:none}");
        try (ToolServing serving = ToolServing.of(config)) {
            assertThat(serving.list()).isEmpty();
        }
        assertThat(paths).isEmpty();
    }
}
