package dev.parley.testkit.models;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The wire format of <a href="https://github.com/ollama/ollama/blob/main/docs/api.md">Ollama's chat</a>. It has one
 * JSON text per line, and no API keys.
 */
final class OllamaDialect implements Dialect {
    static final Map<Stop, String> STOPS =
            Map.of(Stop.END, "stop", Stop.LENGTH, "length", Stop.CALLS, "stop", Stop.REFUSED, "stop");

    @Override
    public boolean serves(String path) {
        return path.equals("/api/chat");
    }

    @Override
    public Optional<String> unauthorized(ModelRequest request) {
        return Optional.empty();
    }

    @Override
    public List<String> violations(JsonNode body) {
        return OllamaRules.violations(body);
    }

    /** Streams unless the request forbids it. */
    @Override
    public boolean streams(ModelRequest request) {
        return request.body().path("stream").asBoolean(true);
    }

    @Override
    public String streamType() {
        return "application/x-ndjson";
    }

    @Override
    public Turn turn(ModelRequest request, Script script) {
        return new OllamaTurn(request, script);
    }

    @Override
    public JsonNode whole(ModelRequest request, Script script) {
        ObjectNode message = message(script.wholeText());
        if (!script.wholeThinking().isEmpty()) {
            message.put("thinking", script.wholeThinking());
        }
        if (!script.calls().isEmpty()) {
            message.set(
                    "tool_calls",
                    Nodes.array(script.calls().stream().map(OllamaDialect::call).toArray(JsonNode[]::new)));
        }
        return done(response(request, message), script);
    }

    static ObjectNode message(String content) {
        return Nodes.object().put("role", "assistant").put("content", content);
    }

    /** A call. Older versions give a call no id. */
    static JsonNode call(ScriptedCall call) {
        ObjectNode node = Nodes.object();
        if (!call.id().isEmpty()) {
            node.put("id", call.id());
        }
        node.putObject("function")
                .put("index", call.index())
                .put("name", call.name())
                .set("arguments", Nodes.tree(call.arguments()));
        return node;
    }

    static ObjectNode response(ModelRequest request, ObjectNode message) {
        ObjectNode response = Nodes.object()
                .put("model", request.body().path("model").asString(""))
                .put("created_at", "2026-01-01T00:00:00.000000000Z");
        response.set("message", message);
        return response.put("done", false);
    }

    static ObjectNode done(ObjectNode response, Script script) {
        return response.put("done", true)
                .put("done_reason", script.stopIn(STOPS))
                .put("total_duration", 5_000_000L)
                .put("load_duration", 1_000_000L)
                .put("prompt_eval_count", script.usage().in())
                .put("prompt_eval_duration", 1_000_000L)
                .put("eval_count", script.usage().out())
                .put("eval_duration", 1_000_000L);
    }

    @Override
    public JsonNode error(int status, String message) {
        return Nodes.object().put("error", message);
    }
}
