package dev.parley.testkit.models;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The wire format of <a href="https://ai.google.dev/api/generate-content">Gemini's generated contents</a>. */
final class GeminiDialect implements Dialect {
    static final Map<Stop, String> STOPS =
            Map.of(Stop.END, "STOP", Stop.LENGTH, "MAX_TOKENS", Stop.CALLS, "STOP", Stop.REFUSED, "SAFETY");

    /**
     * The signature on a call. With this signature, the next request gives back to the model the thought before the
     * call.
     */
    static final String SIGNATURE = "c2NyaXB0ZWQtdGhvdWdodA==";

    @Override
    public boolean serves(String path) {
        return path.matches("/models/[^/:]+:(streamGenerateContent|generateContent)");
    }

    @Override
    public Optional<String> unauthorized(ModelRequest request) {
        return request.header("x-goog-api-key").filter(key -> !key.isEmpty()).isPresent()
                        || request.path().matches(".*[?&]key=.+")
                ? Optional.empty()
                : Optional.of("Request is missing required authentication credential.");
    }

    @Override
    public List<String> violations(JsonNode body) {
        return GeminiRules.violations(body);
    }

    @Override
    public boolean streams(ModelRequest request) {
        return request.route().endsWith(":streamGenerateContent");
    }

    @Override
    public String streamType() {
        return "text/event-stream";
    }

    @Override
    public Turn turn(ModelRequest request, Script script) {
        return new GeminiTurn(request, script);
    }

    @Override
    public JsonNode whole(ModelRequest request, Script script) {
        ArrayNode parts = Nodes.array();
        if (!script.wholeThinking().isEmpty()) {
            parts.addObject().put("text", script.wholeThinking()).put("thought", true);
        }
        if (!script.wholeText().isEmpty()) {
            parts.addObject().put("text", script.wholeText());
        }
        script.calls().forEach(call -> parts.add(call(call, script)));
        return response(
                request,
                parts,
                script.stopIn(STOPS),
                usage(script.usage(), script.usage().out()));
    }

    /** A call. Older models give a call no id. Of parallel calls, only the first call has the signature. */
    static ObjectNode call(ScriptedCall call, Script script) {
        ObjectNode part = Nodes.object();
        ObjectNode function = part.putObject("functionCall").put("name", call.name());
        if (!call.id().isEmpty()) {
            function.put("id", call.id());
        }
        function.set("args", Nodes.tree(call.arguments()));
        if (call.index() == 0 && !script.wholeThinking().isEmpty()) {
            part.put("thoughtSignature", SIGNATURE);
        }
        return part;
    }

    static ObjectNode response(ModelRequest request, ArrayNode parts, String reason, ObjectNode usage) {
        ObjectNode candidate = Nodes.object();
        candidate.putObject("content").put("role", "model").set("parts", parts);
        if (!reason.isEmpty()) {
            candidate.put("finishReason", reason);
        }
        candidate.put("index", 0);
        ObjectNode response = Nodes.object();
        response.set("candidates", Nodes.array(candidate));
        response.set("usageMetadata", usage);
        String model = request.route().replaceAll(".*/models/|:.*", "");
        return response.put("modelVersion", model).put("responseId", "response-" + request.number());
    }

    static ObjectNode usage(Usage usage, int out) {
        ObjectNode node = Nodes.object()
                .put("promptTokenCount", usage.in())
                .put("candidatesTokenCount", out)
                .put("totalTokenCount", usage.in() + out);
        return usage.cached() == 0 ? node : node.put("cachedContentTokenCount", usage.cached());
    }

    @Override
    public JsonNode error(int status, String message) {
        String name = switch (status) {
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "PERMISSION_DENIED";
            case 404 -> "NOT_FOUND";
            case 429 -> "RESOURCE_EXHAUSTED";
            case 503 -> "UNAVAILABLE";
            case 504 -> "DEADLINE_EXCEEDED";
            default -> status < 500 ? "INVALID_ARGUMENT" : "INTERNAL";
        };
        return error(status, name, message);
    }

    static ObjectNode error(int code, String name, String message) {
        ObjectNode node = Nodes.object();
        node.putObject("error").put("code", code).put("message", message).put("status", name);
        return node;
    }
}
