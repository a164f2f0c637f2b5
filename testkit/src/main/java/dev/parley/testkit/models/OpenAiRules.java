package dev.parley.testkit.models;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The rules of <a href="https://platform.openai.com/docs/api-reference/chat">OpenAI's chat completions</a> for a
 * request.
 */
final class OpenAiRules {
    private static final Set<String> ROLES = Set.of("system", "developer", "user", "assistant", "tool");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int MAX_ID = 40;

    private final Violations violations = new Violations();
    private final JsonNode body;

    private OpenAiRules(JsonNode body) {
        this.body = body;
    }

    /** Violations in the order of the request; empty if the request is accepted. */
    static List<String> violations(JsonNode body) {
        return new OpenAiRules(body).check();
    }

    private List<String> check() {
        violations.unless(!Nodes.text(body.path("model")).isEmpty(), "you must provide a model parameter");
        List<JsonNode> messages = Nodes.list(body.path("messages"));
        violations.unless(!messages.isEmpty(), "messages: expected an array with at least one element.");
        Nodes.stream(body.path("tools")).forEach(this::tool);
        Set<String> awaited = new HashSet<>();
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            String role = Nodes.text(message.path("role"));
            violations.unless(ROLES.contains(role), "messages[%].role: '%' is not one of %.", i, role, ROLES);
            if (role.equals("tool")) {
                String id = Nodes.text(message.path("tool_call_id"));
                violations.unless(
                        awaited.remove(id),
                        "messages[%]: a message with role 'tool' must answer a tool call of the message directly"
                                + " before, once; '%' does not.",
                        i,
                        id);
                content(message.path("content"), i);
            } else {
                complete(awaited, i);
                awaited.clear();
                awaited.addAll(speaker(message, role, i));
            }
        }
        complete(awaited, messages.size());
        return violations.list();
    }

    private void complete(Set<String> awaited, int i) {
        violations.unless(
                awaited.isEmpty(),
                "messages[%]: an assistant message with 'tool_calls' must be followed by tool messages responding to"
                        + " each 'tool_call_id'; missing: %.",
                i,
                awaited);
    }

    /** Checks the content and the calls of a message, and returns the ids of the calls. */
    private Set<String> speaker(JsonNode message, String role, int i) {
        Set<String> made = new HashSet<>();
        List<JsonNode> calls = Nodes.list(message.path("tool_calls"));
        if (!message.path("tool_calls").isMissingNode()) {
            violations.unless(role.equals("assistant"), "messages[%].tool_calls: only the assistant makes calls.", i);
            violations.unless(!calls.isEmpty(), "messages[%].tool_calls: empty array.", i);
        }
        boolean mayBeSilent = role.equals("assistant") && !calls.isEmpty();
        if (!mayBeSilent
                || !message.path("content").isMissingNode()
                        && !message.path("content").isNull()) {
            content(message.path("content"), i);
        }
        for (JsonNode call : calls) {
            call(call, i);
            String id = Nodes.text(call.path("id"));
            violations.unless(made.add(id), "messages[%].tool_calls: the id '%' is there twice.", i, id);
        }
        return made;
    }

    private void call(JsonNode call, int i) {
        String id = Nodes.text(call.path("id"));
        violations.unless(!id.isEmpty(), "messages[%].tool_calls: a call without an id.", i);
        violations.unless(
                id.length() <= MAX_ID,
                "messages[%].tool_calls[].id: string too long, % of at most % characters.",
                i,
                id.length(),
                MAX_ID);
        violations.unless("function".equals(Nodes.text(call.path("type"))), "messages[%].tool_calls: no type.", i);
        name(call.path("function").path("name"), "messages[" + i + "].tool_calls[].function.name");
        String arguments = Nodes.text(call.path("function").path("arguments"));
        violations.unless(
                Nodes.parsed(arguments).isPresent(),
                "messages[%].tool_calls[].function.arguments: '%' is not a JSON text.",
                i,
                arguments);
    }

    private void tool(JsonNode tool) {
        name(tool.path("function").path("name"), "tools[].function.name");
    }

    private void name(JsonNode name, String where) {
        violations.unless(NAME.matcher(Nodes.text(name)).matches(), "%: '%' does not match %.", where, name, NAME);
    }

    private void content(JsonNode content, int i) {
        if (content.isArray()) {
            violations.unless(!content.isEmpty(), "messages[%].content: empty array.", i);
            content.forEach(part -> part(part, i));
        } else {
            violations.unless(content.isString(), "messages[%].content: expected a string or parts.", i);
            violations.unless(!Nodes.text(content).isEmpty(), "messages[%].content: empty.", i);
        }
    }

    private void part(JsonNode part, int i) {
        String type = Nodes.text(part.path("type"));
        switch (type) {
            case "text" ->
                violations.unless(!Nodes.text(part.path("text")).isEmpty(), "messages[%].content[]: empty text.", i);
            case "image_url" -> {
                String url = Nodes.text(part.path("image_url").path("url"));
                violations.unless(
                        url.matches("(?s)https?://.+|data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*"),
                        "messages[%].content[].image_url: not a URL of a supported image.",
                        i);
            }
            case "input_audio", "file", "refusal" -> {}
            default -> violations.unless(false, "messages[%].content[]: invalid type '%'.", i, type);
        }
    }
}
