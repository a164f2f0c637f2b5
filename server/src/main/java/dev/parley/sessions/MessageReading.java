package dev.parley.sessions;

import dev.parley.basics.Text;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of an Agno message that other faces show: its text, role and calls. The message itself is kept as it came.
 */
final class MessageReading {
    /** The longest text that other faces show; the message itself contains the whole text. */
    static final int MAX_TEXT = 256 * 1024;

    private static final int MAX_REASONING = 16 * 1024;
    private static final int MAX_CALLS = 16 * 1024;
    private static final int MAX_ID_LENGTH = 256;

    /** Roles are free text in Agno; any other role means the agent. */
    private static final Map<String, Role> ROLES = Map.of(
            "user", Role.USER,
            "system", Role.SYSTEM,
            "developer", Role.SYSTEM,
            "tool", Role.TOOL,
            "function", Role.TOOL);

    private final ObjectNode message;
    private final String text;
    private final boolean cut;

    MessageReading(ObjectNode message) {
        this.message = message;
        String whole = Text.mended(plain(message.path("content")));
        this.text = Text.startWithin(whole, MAX_TEXT);
        this.cut = text.length() < whole.length();
    }

    /** The role on other faces. */
    static Role role(String given) {
        return ROLES.getOrDefault(given, Role.ASSISTANT);
    }

    /** The roles whose messages are not an agent's answers. */
    static Set<String> rolesOfOthers() {
        return ROLES.keySet();
    }

    /** The text, with U+FFFD for characters that cannot be stored. */
    String text() {
        return text;
    }

    /** True if the shown part of the text differs from another text. */
    boolean differsFrom(String other) {
        return cut ? !other.startsWith(text) : !other.equals(text);
    }

    /** True if the text replaces another text; a text that was cut replaces no text. */
    boolean revises(String other) {
        return !cut && !text.isEmpty() && differsFrom(other);
    }

    private static String plain(JsonNode content) {
        if (content.isString()) {
            return content.asString();
        }
        if (!content.isArray()) {
            return content.isMissingNode() || content.isNull() ? "" : Json.MAPPER.writeValueAsString(content);
        }
        List<String> parts = new ArrayList<>();
        for (JsonNode part : content) {
            if (part.isString()) {
                parts.add(part.asString());
            } else if (part.path("text").isString()) {
                parts.add(part.path("text").asString());
            } else {
                parts.add(Json.MAPPER.writeValueAsString(part));
            }
        }
        return String.join("\n", parts);
    }

    /** The calls that the message makes, in any form. */
    List<AgnoCall> callsMade() {
        return message.path("tool_calls")
                .valueStream()
                .map(call -> AgnoCall.of(call.path("id"), call.path("function").path("name")))
                .toList();
    }

    /** The call whose result the message contains; empty if the message names no call. */
    Optional<AgnoCall> callAnswered() {
        JsonNode id = message.path("tool_call_id");
        JsonNode tool = message.path("tool_name");
        return id.isString() || tool.isString() ? Optional.of(AgnoCall.of(id, tool)) : Optional.empty();
    }

    private @Nullable String toolCallId() {
        JsonNode id = message.path("tool_call_id");
        return id.isString() ? Text.mended(id.asString()) : null;
    }

    /** The calls in the form that clients know; only the message itself contains other calls. */
    private List<ToolCall> calls() {
        List<ToolCall> calls = new ArrayList<>();
        for (JsonNode call : message.path("tool_calls")) {
            JsonNode function = call.path("function");
            if (isShort(call.path("id")) && isShort(function.path("name"))) {
                calls.add(new ToolCall(
                        Text.mended(call.path("id").asString()),
                        Text.mended(function.path("name").asString()),
                        Text.mended(function.path("arguments").asString(""))));
            }
        }
        return calls;
    }

    private static boolean isShort(JsonNode node) {
        return node.isString() && !node.asString().isEmpty() && node.asString().length() <= MAX_ID_LENGTH;
    }

    /** The metadata that other faces show beside the text. */
    ObjectNode metadata(NewChatEvent.Wrapper wrapper) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        put(metadata, "run_id", wrapper.runId());
        String role = message.path("role").asString();
        if (role(role) != Role.USER) {
            // The agent that a person asks is not the author of the question.
            put(metadata, "agent_name", wrapper.agentName());
            put(metadata, "team_name", wrapper.teamName());
        }
        if (!role(role).wire().equals(role)) {
            metadata.put("role", Text.startWithin(Text.mended(role), MAX_ID_LENGTH));
        }
        ArrayNode calls = Json.MAPPER.valueToTree(calls());
        if (!calls.isEmpty()) {
            if (calls.toString().length() <= MAX_CALLS) {
                metadata.set("tool_calls", calls);
            } else {
                metadata.put("truncated", true);
            }
        }
        put(metadata, "tool_call_id", toolCallId());
        if (isShort(message.path("tool_name"))) {
            put(metadata, "tool_name", message.path("tool_name").asString());
        }
        if (message.path("tool_call_error").asBoolean(false)) {
            metadata.put("tool_failed", true);
        }
        String thought = message.path("reasoning_content").asString("");
        if (!thought.isEmpty()) {
            metadata.putArray("reasoning")
                    .addObject()
                    .put("id", "reasoning")
                    .put("content", Text.startWithin(Text.mended(thought), MAX_REASONING));
        }
        if (cut) {
            metadata.put("truncated", true);
        }
        return metadata;
    }

    private static void put(ObjectNode metadata, String name, @Nullable String value) {
        if (value != null) {
            metadata.put(name, Text.mended(value));
        }
    }
}
