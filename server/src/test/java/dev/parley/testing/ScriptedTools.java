package dev.parley.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An MCP server over streamable HTTP whose tools behave as a test says; it records their calls. */
public final class ScriptedTools implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Function<JsonNode, String>> tools = new ConcurrentHashMap<>();
    private final List<Called> calls = new CopyOnWriteArrayList<>();

    /** One call of a tool. */
    public record Called(String tool, JsonNode arguments) {}

    public ScriptedTools() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
    }

    /** Offers a tool with one text as its argument; the function returns its result. */
    public ScriptedTools offer(String name, Function<JsonNode, String> work) {
        tools.put(name, work);
        return this;
    }

    public List<Called> calls() {
        return calls;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            JsonNode request = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
            if (!request.has("id")) {
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
            answer.set("id", request.get("id"));
            answer.set("result", result(request));
            byte[] bytes = Json.MAPPER.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private ObjectNode result(JsonNode request) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        switch (request.path("method").asString()) {
            case "initialize" -> {
                result.put(
                        "protocolVersion", request.at("/params/protocolVersion").asString());
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "scripted").put("version", "1");
            }
            case "tools/list" -> {
                ArrayNode all = result.putArray("tools");
                tools.keySet().stream().sorted().forEach(name -> {
                    ObjectNode schema = all.addObject()
                            .put("name", name)
                            .put("description", "Does " + name)
                            .putObject("inputSchema")
                            .put("type", "object");
                    schema.putObject("properties").putObject("what").put("type", "string");
                });
            }
            case "tools/call" -> {
                String tool = request.at("/params/name").asString();
                JsonNode arguments = request.at("/params/arguments");
                calls.add(new Called(tool, arguments));
                String text = tools.getOrDefault(tool, each -> "unknown").apply(arguments);
                result.putArray("content").addObject().put("type", "text").put("text", text);
                result.put("isError", false);
            }
            default -> {}
        }
        return result;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
