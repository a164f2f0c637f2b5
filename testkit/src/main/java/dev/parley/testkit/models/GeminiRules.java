package dev.parley.testkit.models;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The rules of <a href="https://ai.google.dev/api/generate-content">Gemini's contents</a> for a request. The check
 * demands strictly alternating turns, which every model accepts. Newer models also merge turns of the same role.
 */
final class GeminiRules {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");
    private static final List<String> KINDS = List.of(
            "text",
            "inlineData",
            "fileData",
            "functionCall",
            "functionResponse",
            "executableCode",
            "codeExecutionResult");

    private final Violations violations = new Violations();
    private final JsonNode body;

    private GeminiRules(JsonNode body) {
        this.body = body;
    }

    /** Violations in the order of the request; empty if the request is accepted. */
    static List<String> violations(JsonNode body) {
        return new GeminiRules(body).check();
    }

    private List<String> check() {
        declarations();
        JsonNode system = body.path("systemInstruction");
        violations.unless(
                system.isMissingNode()
                        || system.isNull()
                        || !Nodes.list(system.path("parts")).isEmpty(),
                "system_instruction.parts must not be empty.");
        Nodes.stream(system.path("parts"))
                .forEach(part -> violations.unless(
                        !Nodes.text(part.path("text")).isEmpty(), "system_instruction.parts: text is required."));
        List<JsonNode> contents = Nodes.list(body.path("contents"));
        violations.unless(!contents.isEmpty(), "contents is not specified.");
        for (int i = 0; i < contents.size(); i++) {
            content(contents, i);
        }
        violations.unless(
                contents.isEmpty() || isUser(contents.getLast()),
                "Please ensure that requests end with a user turn or a function response turn.");
        return violations.list();
    }

    private void declarations() {
        Set<String> names = new HashSet<>();
        Nodes.stream(body.path("tools"))
                .flatMap(tool -> Nodes.stream(tool.path("functionDeclarations")))
                .map(declaration -> Nodes.text(declaration.path("name")))
                .forEach(name -> {
                    name(name, "tools.function_declarations");
                    violations.unless(names.add(name), "Duplicate function declaration found: %", name);
                });
    }

    private void content(List<JsonNode> contents, int i) {
        JsonNode content = contents.get(i);
        String role = Nodes.text(content.path("role"));
        violations.unless(
                Set.of("", "user", "model", "function").contains(role),
                "contents[%].role: Please use a valid role: user, model; not '%'.",
                i,
                role);
        violations.unless(
                i == 0 ? isUser(content) : isUser(content) != isUser(contents.get(i - 1)),
                "contents[%]: Please ensure that multiturn requests begin with user and alternate between user and"
                        + " model.",
                i);
        List<JsonNode> parts = Nodes.list(content.path("parts"));
        violations.unless(!parts.isEmpty(), "contents[%].parts must not be empty.", i);
        parts.forEach(part -> part(part, isUser(content), i));
        List<JsonNode> calls = all(content, "functionCall");
        violations.unless(
                calls.isEmpty() || i > 0 && isUser(contents.get(i - 1)),
                "contents[%]: Please ensure that function call turn comes immediately after a user turn or after a"
                        + " function response turn.",
                i);
        responses(i == 0 ? List.of() : all(contents.get(i - 1), "functionCall"), all(content, "functionResponse"), i);
    }

    private void responses(List<JsonNode> calls, List<JsonNode> responses, int i) {
        violations.unless(
                responses.isEmpty() || !calls.isEmpty(),
                "contents[%]: Please ensure that function response turn comes immediately after a function call turn.",
                i);
        violations.unless(
                responses.size() == calls.size(),
                "contents[%]: Please ensure that the number of function response parts is equal to the number of"
                        + " function call parts of the function call turn.",
                i);
        List<String> awaited =
                new ArrayList<>(calls.stream().map(GeminiRules::key).toList());
        for (JsonNode response : responses) {
            violations.unless(
                    awaited.remove(key(response)) || calls.isEmpty(),
                    "contents[%]: the function response '%' has no function call.",
                    i,
                    key(response));
        }
    }

    /** The name of a call, followed by its id if there is one. Only newer models give a call an id. */
    private static String key(JsonNode callOrResponse) {
        String name = Nodes.text(callOrResponse.path("name"));
        String id = Nodes.text(callOrResponse.path("id"));
        return id.isEmpty() ? name : name + " " + id;
    }

    private void part(JsonNode part, boolean user, int i) {
        List<String> kinds = KINDS.stream().filter(part::hasNonNull).toList();
        violations.unless(
                kinds.size() == 1,
                "contents[%].parts: required oneof field 'data' must have one initialized field, not %.",
                i,
                kinds);
        boolean carriesSignature = part.hasNonNull("thoughtSignature");
        violations.unless(
                !kinds.equals(List.of("text"))
                        || carriesSignature
                        || !Nodes.text(part.path("text")).isEmpty(),
                "contents[%].parts: a text must not be empty.",
                i);
        JsonNode call = part.path("functionCall");
        JsonNode response = part.path("functionResponse");
        if (call.isObject()) {
            violations.unless(!user, "contents[%]: function calls belong to model turns.", i);
            name(Nodes.text(call.path("name")), "contents[" + i + "].parts.function_call");
            violations.unless(
                    call.path("args").isMissingNode() || call.path("args").isObject(),
                    "contents[%].parts.function_call.args: not an object.",
                    i);
        }
        if (response.isObject()) {
            violations.unless(user, "contents[%]: function responses belong to user turns.", i);
            name(Nodes.text(response.path("name")), "contents[" + i + "].parts.function_response");
            violations.unless(
                    response.path("response").isObject(),
                    "contents[%].parts.function_response.response: not an object.",
                    i);
        }
        if (part.path("inlineData").isObject()) {
            JsonNode blob = part.path("inlineData");
            violations.unless(
                    Nodes.text(blob.path("mimeType")).matches("[a-z]+/[a-z0-9.+-]+"),
                    "contents[%].parts.inline_data.mime_type: missing or unsupported.",
                    i);
            violations.unless(
                    BASE64.matcher(Nodes.text(blob.path("data"))).matches(),
                    "contents[%].parts.inline_data.data: not base64.",
                    i);
        }
    }

    private void name(String name, String where) {
        violations.unless(
                NAME.matcher(name).matches(),
                "%.name: Invalid function name '%'. Must start with a letter or an underscore, then letters, digits,"
                        + " underscores, dots, colons or dashes, at most 64.",
                where,
                name);
    }

    private static boolean isUser(JsonNode content) {
        return !Nodes.text(content.path("role")).equals("model");
    }

    private static List<JsonNode> all(JsonNode content, String kind) {
        return Nodes.stream(content.path("parts"))
                .map(part -> part.path(kind))
                .filter(JsonNode::isObject)
                .toList();
    }
}
