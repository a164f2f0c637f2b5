package dev.parley.testkit.models;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The rules of <a href="https://github.com/ollama/ollama/blob/main/docs/api.md">Ollama's chat</a> for a request. A
 * request that Ollama's templates would silently garble is also refused.
 */
final class OllamaRules {
    private static final Set<String> ROLES = Set.of("system", "user", "assistant", "tool");

    private final Violations violations = new Violations();
    private final JsonNode body;

    private OllamaRules(JsonNode body) {
        this.body = body;
    }

    /** Violations in the order of the request; empty if the request is accepted. */
    static List<String> violations(JsonNode body) {
        return new OllamaRules(body).check();
    }

    private List<String> check() {
        violations.unless(!Nodes.text(body.path("model")).isEmpty(), "model is required");
        List<JsonNode> messages = Nodes.list(body.path("messages"));
        violations.unless(!messages.isEmpty(), "messages must not be empty");
        Nodes.stream(body.path("tools"))
                .forEach(tool -> violations.unless(
                        !Nodes.text(tool.path("function").path("name")).isEmpty(), "tools: a function needs a name"));
        int awaited = 0;
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            String role = Nodes.text(message.path("role"));
            violations.unless(ROLES.contains(role), "messages[%]: invalid role '%'", i, role);
            if (role.equals("tool")) {
                violations.unless(awaited > 0, "messages[%]: a tool result without its call directly before", i);
                awaited--;
            } else {
                violations.unless(awaited <= 0, "messages[%]: % tool results are missing before", i, awaited);
                awaited = message.path("tool_calls").size();
            }
            message(message, role, i);
        }
        violations.unless(awaited <= 0, "messages: % tool results are missing at the end", awaited);
        return violations.list();
    }

    private void message(JsonNode message, String role, int i) {
        JsonNode content = message.path("content");
        boolean calls = !message.path("tool_calls").isEmpty();
        violations.unless(
                content.isMissingNode() || content.isNull() || content.isString(),
                "messages[%]: json: cannot unmarshal content into Go struct field of type string",
                i);
        violations.unless(
                !Nodes.text(content).isEmpty()
                        || calls
                        || !message.path("images").isEmpty(),
                "messages[%]: empty content",
                i);
        violations.unless(!calls || role.equals("assistant"), "messages[%]: only the assistant makes calls", i);
        for (JsonNode call : Nodes.list(message.path("tool_calls"))) {
            violations.unless(
                    !Nodes.text(call.path("function").path("name")).isEmpty(), "messages[%]: a call without name", i);
            violations.unless(
                    call.path("function").path("arguments").isObject(),
                    "messages[%]: json: cannot unmarshal arguments into Go struct field of type object",
                    i);
        }
        for (JsonNode image : Nodes.list(message.path("images"))) {
            violations.unless(
                    Nodes.text(image).matches("[A-Za-z0-9+/]+={0,2}"),
                    "messages[%]: illegal base64 data in an image",
                    i);
        }
    }
}
