package dev.parley.testkit.models;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The rules of <a href="https://docs.anthropic.com/en/api/messages">Anthropic's messages</a> for a request. */
final class AnthropicRules {
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,128}");
    private static final int MIN_BUDGET = 1024;

    private final Violations violations = new Violations();
    private final JsonNode body;
    private final AnthropicBlocks blocks = new AnthropicBlocks(violations);
    private final Set<String> callIds = new HashSet<>();

    private AnthropicRules(JsonNode body) {
        this.body = body;
    }

    /** Violations in the order of the request; empty if the request is accepted. */
    static List<String> violations(JsonNode body) {
        return new AnthropicRules(body).check();
    }

    private List<String> check() {
        violations.unless(!Nodes.text(body.path("model")).isEmpty(), "model: Field required");
        int most = body.path("max_tokens").asInt(0);
        violations.unless(most >= 1, "max_tokens: must be greater than or equal to 1");
        thinking(most);
        system();
        Nodes.stream(body.path("tools")).forEach(this::tool);
        List<JsonNode> messages = Nodes.list(body.path("messages"));
        violations.unless(!messages.isEmpty(), "messages: at least one message is required");
        violations.unless(
                messages.isEmpty() || role(messages.getFirst()).equals("user"),
                "messages: first message must use the \"user\" role");
        for (int i = 0; i < messages.size(); i++) {
            message(messages.get(i), i);
        }
        turns(messages);
        return violations.list();
    }

    /** Checks the turns. Consecutive messages of the same role are one turn. */
    private void turns(List<JsonNode> messages) {
        List<JsonNode> turn = new ArrayList<>();
        Set<String> awaited = Set.of();
        for (int i = 0; i < messages.size(); i++) {
            turn.addAll(parts(messages.get(i).path("content")));
            boolean last = i == messages.size() - 1;
            if (last || !role(messages.get(i)).equals(role(messages.get(i + 1)))) {
                results(turn, i, awaited);
                awaited = calls(turn, i);
                turn.clear();
            }
        }
        violations.unless(awaited.isEmpty(), "messages: `tool_use` ids were found without `tool_result`: %", awaited);
        if (!messages.isEmpty() && role(messages.getLast()).equals("assistant")) {
            ending(messages.getLast().path("content"));
        }
    }

    private static List<JsonNode> parts(JsonNode content) {
        return content.isString()
                ? List.of(Nodes.object().put("type", "text").put("text", content.asString()))
                : Nodes.list(content);
    }

    private void thinking(int most) {
        if (!Nodes.text(body.path("thinking").path("type")).equals("enabled")) {
            return;
        }
        int budget = body.path("thinking").path("budget_tokens").asInt(0);
        violations.unless(budget >= MIN_BUDGET, "thinking.budget_tokens: must be at least %", MIN_BUDGET);
        violations.unless(most > budget, "`max_tokens` must be greater than `thinking.budget_tokens`");
        violations.unless(
                body.path("temperature").asDouble(1) == 1,
                "`temperature` may only be set to 1 when thinking is enabled");
    }

    private void system() {
        JsonNode system = body.path("system");
        violations.unless(
                system.isMissingNode() || system.isString() || system.isArray(), "system: expected text or blocks");
        Nodes.stream(system)
                .forEach(block -> violations.unless(
                        !Nodes.text(block.path("text")).isBlank(), "system: text content blocks must be non-empty"));
    }

    private void tool(JsonNode tool) {
        name(tool.path("name"), "tools");
    }

    private void name(JsonNode name, String where) {
        violations.unless(
                NAME.matcher(Nodes.text(name)).matches(),
                "%.name: String should match pattern '^%$', not %",
                where,
                NAME,
                name);
    }

    private void message(JsonNode message, int i) {
        String role = role(message);
        violations.unless(
                role.equals("user") || role.equals("assistant"),
                "messages.%.role: '%' is unexpected; a system prompt belongs to the top-level `system`",
                i,
                role);
        List<JsonNode> parts = parts(message.path("content"));
        violations.unless(!parts.isEmpty(), "messages.%: content must be non-empty", i);
        for (JsonNode part : parts) {
            blocks.check(part, role, "messages." + i);
        }
    }

    private void results(List<JsonNode> parts, int i, Set<String> awaited) {
        Set<String> missing = new HashSet<>(awaited);
        boolean others = false;
        for (JsonNode part : parts) {
            if (type(part).equals("tool_result")) {
                String id = Nodes.text(part.path("tool_use_id"));
                violations.unless(
                        missing.remove(id),
                        "messages.%: unexpected `tool_use_id` '%' in `tool_result`: each must have one"
                                + " `tool_use` in the previous message",
                        i,
                        id);
                violations.unless(!others, "messages.%: `tool_result` blocks must come first", i);
            } else {
                others = true;
            }
        }
        violations.unless(
                missing.isEmpty(),
                "messages.%: `tool_use` ids were found without `tool_result` blocks immediately after: %",
                i,
                missing);
    }

    /** Checks the calls of this turn, and returns their ids. */
    private Set<String> calls(List<JsonNode> parts, int i) {
        List<JsonNode> calls =
                parts.stream().filter(part -> type(part).equals("tool_use")).toList();
        for (JsonNode call : calls) {
            String id = Nodes.text(call.path("id"));
            violations.unless(ID.matcher(id).matches(), "messages.%: tool_use.id '%' should match '^%$'", i, id, ID);
            violations.unless(callIds.add(id), "messages.%: `tool_use` ids must be unique: '%'", i, id);
            name(call.path("name"), "messages." + i + ".tool_use");
            violations.unless(
                    call.path("input").isObject(), "messages.%: tool_use.input: should be a valid dictionary", i);
        }
        if (!calls.isEmpty()
                && isLastAnswer(i)
                && Nodes.text(body.path("thinking").path("type")).equals("enabled")) {
            violations.unless(
                    type(parts.getFirst()).matches("(redacted_)?thinking"),
                    "messages.%: expected `thinking` or `redacted_thinking` before `tool_use` when thinking is enabled",
                    i);
        }
        return calls.stream().map(call -> Nodes.text(call.path("id"))).collect(Collectors.toSet());
    }

    /** True if no assistant message follows. Only the calls of the last answer need their thoughts. */
    private boolean isLastAnswer(int index) {
        List<JsonNode> messages = Nodes.list(body.path("messages"));
        return messages.subList(index + 1, messages.size()).stream()
                .noneMatch(message -> role(message).equals("assistant"));
    }

    private void ending(JsonNode content) {
        String text = content.isString()
                ? content.asString()
                : Nodes.text(content.path(content.size() - 1).path("text"));
        violations.unless(
                text.equals(text.stripTrailing()),
                "messages: final assistant content cannot end with trailing whitespace");
    }

    private static String role(JsonNode message) {
        return Nodes.text(message.path("role"));
    }

    private static String type(JsonNode part) {
        return Nodes.text(part.path("type"));
    }
}
