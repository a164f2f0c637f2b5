package dev.parley.testkit.models;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The wire format of <a href="https://docs.anthropic.com/en/api/messages">Anthropic's messages</a>. */
final class AnthropicDialect implements Dialect {
    static final Map<Stop, String> STOPS =
            Map.of(Stop.END, "end_turn", Stop.LENGTH, "max_tokens", Stop.CALLS, "tool_use", Stop.REFUSED, "refusal");

    /** The provider's proof that a returned thought is its own. */
    static final String SIGNATURE = "c2NyaXB0ZWQtdGhvdWdodA==";

    @Override
    public boolean serves(String path) {
        return path.equals("/messages");
    }

    @Override
    public Optional<String> unauthorized(ModelRequest request) {
        boolean known =
                request.header("x-api-key").filter(key -> !key.isEmpty()).isPresent()
                        || request.header("authorization")
                                .filter(value -> value.matches("Bearer \\S+"))
                                .isPresent();
        if (!known) {
            return Optional.of("x-api-key header is required");
        }
        return request.header("anthropic-version").isPresent()
                ? Optional.empty()
                : Optional.of("anthropic-version: header is required");
    }

    @Override
    public List<String> violations(JsonNode body) {
        return AnthropicRules.violations(body);
    }

    @Override
    public String streamType() {
        return "text/event-stream; charset=utf-8";
    }

    @Override
    public Turn turn(ModelRequest request, Script script) {
        return new AnthropicTurn(request, script);
    }

    @Override
    public JsonNode whole(ModelRequest request, Script script) {
        ObjectNode whole = message(request);
        ArrayNode content = whole.putArray("content");
        if (!script.wholeThinking().isEmpty()) {
            content.addObject()
                    .put("type", "thinking")
                    .put("thinking", script.wholeThinking())
                    .put("signature", SIGNATURE);
        }
        if (!script.wholeText().isEmpty()) {
            content.addObject().put("type", "text").put("text", script.wholeText());
        }
        for (ScriptedCall call : script.calls()) {
            content.addObject()
                    .put("type", "tool_use")
                    .put("id", call.id())
                    .put("name", call.name())
                    .set("input", Nodes.tree(call.arguments()));
        }
        whole.put("stop_reason", script.stopIn(STOPS)).putNull("stop_sequence");
        whole.set("usage", usage(script.usage(), script.usage().out()));
        return whole;
    }

    static ObjectNode message(ModelRequest request) {
        return Nodes.object()
                .put("id", "msg_" + request.number())
                .put("type", "message")
                .put("role", "assistant")
                .put("model", request.body().path("model").asString(""));
    }

    /** Anthropic's input tokens do not include the cached tokens. */
    static ObjectNode usage(Usage usage, int out) {
        return Nodes.object()
                .put("input_tokens", usage.fresh())
                .put("cache_creation_input_tokens", 0)
                .put("cache_read_input_tokens", usage.cached())
                .put("output_tokens", out);
    }

    @Override
    public JsonNode error(int status, String message) {
        String type = switch (status) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 529 -> "overloaded_error";
            default -> status < 500 ? "invalid_request_error" : "api_error";
        };
        return error(type, message);
    }

    static ObjectNode error(String type, String message) {
        ObjectNode node = Nodes.object().put("type", "error");
        node.putObject("error").put("type", type).put("message", message);
        return node.put("request_id", "req_scripted");
    }
}
