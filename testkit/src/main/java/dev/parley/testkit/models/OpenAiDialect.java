package dev.parley.testkit.models;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The wire format of <a href="https://platform.openai.com/docs/api-reference/chat">OpenAI's chat completions</a>, which
 * many other providers use.
 */
final class OpenAiDialect implements Dialect {
    static final Map<Stop, String> STOPS =
            Map.of(Stop.END, "stop", Stop.LENGTH, "length", Stop.CALLS, "tool_calls", Stop.REFUSED, "content_filter");

    @Override
    public boolean serves(String path) {
        return path.equals("/chat/completions");
    }

    @Override
    public Optional<String> unauthorized(ModelRequest request) {
        return request.header("authorization")
                        .filter(value -> value.matches("Bearer \\S+"))
                        .isPresent()
                ? Optional.empty()
                : Optional.of("You didn't provide an API key.");
    }

    @Override
    public List<String> violations(JsonNode body) {
        return OpenAiRules.violations(body);
    }

    @Override
    public String streamType() {
        return "text/event-stream; charset=utf-8";
    }

    @Override
    public Turn turn(ModelRequest request, Script script) {
        return new OpenAiTurn(request, script);
    }

    @Override
    public JsonNode whole(ModelRequest request, Script script) {
        ObjectNode message = Nodes.object().put("role", "assistant");
        if (script.wholeText().isEmpty()) {
            message.putNull("content");
        } else {
            message.put("content", script.wholeText());
        }
        message.putNull("refusal");
        if (!script.wholeThinking().isEmpty()) {
            message.put("reasoning_content", script.wholeThinking());
        }
        if (!script.calls().isEmpty()) {
            message.set(
                    "tool_calls",
                    Nodes.array(script.calls().stream().map(OpenAiDialect::call).toArray(JsonNode[]::new)));
        }
        ObjectNode choice = Nodes.object().put("index", 0);
        choice.set("message", message);
        choice.putNull("logprobs");
        choice.put("finish_reason", script.stopIn(STOPS));
        ObjectNode whole = completion(request, "chat.completion");
        whole.set("choices", Nodes.array(choice));
        whole.set("usage", usage(script.usage()));
        return whole;
    }

    private static JsonNode call(ScriptedCall call) {
        ObjectNode node = Nodes.object().put("id", call.id()).put("type", "function");
        node.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        return node;
    }

    static ObjectNode completion(ModelRequest request, String object) {
        return Nodes.object()
                .put("id", "chatcmpl-" + request.number())
                .put("object", object)
                .put("created", 1_750_000_000L)
                .put("model", request.body().path("model").asString(""))
                .put("system_fingerprint", "fp_scripted");
    }

    static ObjectNode usage(Usage usage) {
        ObjectNode node = Nodes.object()
                .put("prompt_tokens", usage.in())
                .put("completion_tokens", usage.out())
                .put("total_tokens", usage.in() + usage.out());
        node.putObject("prompt_tokens_details").put("cached_tokens", usage.cached());
        node.putObject("completion_tokens_details").put("reasoning_tokens", 0);
        return node;
    }

    @Override
    public JsonNode error(int status, String message) {
        return switch (status) {
            case 401 -> error(message, "invalid_request_error", "invalid_api_key");
            case 429 -> error(message, "requests", "rate_limit_exceeded");
            default -> error(message, status < 500 ? "invalid_request_error" : "server_error", null);
        };
    }

    static JsonNode error(String message, String type, @Nullable String code) {
        ObjectNode node = Nodes.object();
        node.putObject("error")
                .put("message", message)
                .put("type", type)
                .putNull("param")
                .put("code", code);
        return node;
    }
}
