package dev.parley.api.agui;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.CannotPatch;
import dev.parley.protocol.agui.JsonPatch;
import dev.parley.protocol.agui.StateEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client's view of a stream: messages, state and activities. It refuses the mistakes that crash the published
 * clients: opening an open element, continuing a closed one, and ending a run with an open element.
 */
final class ClientView {
    private final List<ObjectNode> messages = new ArrayList<>();
    private final Map<String, JsonNode> activities = new LinkedHashMap<>();
    private final Set<String> open = new HashSet<>();
    private @Nullable JsonNode state;
    private boolean started;
    private @Nullable JsonNode ending;

    static ClientView of(List<JsonNode> events) {
        ClientView view = new ClientView();
        events.forEach(view::apply);
        return view;
    }

    /** Starts with the client's own messages. */
    static ClientView of(List<JsonNode> events, Map<String, Object> own) {
        ClientView view = new ClientView();
        view.messages.add(Json.MAPPER.valueToTree(own));
        events.forEach(view::apply);
        return view;
    }

    /** Everything that the user of the client sees, in order. */
    String shown() {
        StringBuilder all = new StringBuilder();
        for (ObjectNode message : messages) {
            all.append(message.path("role").asString())
                    .append(' ')
                    .append(message.path("id").asString())
                    .append(": ")
                    .append(text(message.path("content")))
                    .append(message.has("toolCallId") ? " for " + message.path("toolCallId") : "")
                    .append(message.has("subagentRunId") ? " by " + message.path("subagentRunId") : "");
            for (JsonNode call : message.path("toolCalls")) {
                all.append("\n  call ")
                        .append(call.path("id").asString())
                        .append(' ')
                        .append(call.path("function"));
            }
            all.append('\n');
        }
        return all + "state " + state + "\nactivities " + activities;
    }

    Optional<JsonNode> state() {
        return Optional.ofNullable(state);
    }

    Optional<JsonNode> ending() {
        return Optional.ofNullable(ending);
    }

    private static String text(JsonNode content) {
        return content.isArray() ? content.toString() : content.asString("");
    }

    private void apply(JsonNode event) {
        String type = event.get("type").asString();
        require(started || type.equals("RUN_STARTED") || type.equals("RUN_ERROR"), event);
        require(ending == null, event);
        switch (type) {
            case "RUN_STARTED" -> {
                require(!started, event);
                started = true;
            }
            case "RUN_FINISHED" -> {
                require(open.isEmpty(), event);
                ending = event;
            }
            case "RUN_ERROR" -> ending = event;
            case "STEP_STARTED" -> require(open.add("step " + owner(event) + event.get("stepName")), event);
            case "STEP_FINISHED" -> require(open.remove("step " + owner(event) + event.get("stepName")), event);
            case "SUBAGENT_STARTED" -> {
                require(
                        !event.has("parentSubagentRunId") || open.contains("agent " + event.get("parentSubagentRunId")),
                        event);
                require(open.add("agent " + event.get("subagentRunId")), event);
            }
            case "SUBAGENT_FINISHED", "SUBAGENT_ERROR" ->
                require(open.remove("agent " + event.get("subagentRunId")), event);
            case "TEXT_MESSAGE_START" -> begin("text", event, event.path("role").asString("assistant"));
            case "REASONING_MESSAGE_START" -> begin("thought", event, "reasoning");
            case "TEXT_MESSAGE_CONTENT" -> append("text", event);
            case "REASONING_MESSAGE_CONTENT" -> append("thought", event);
            case "TEXT_MESSAGE_END" -> require(open.remove("text " + event.get("messageId")), event);
            case "REASONING_MESSAGE_END" -> require(open.remove("thought " + event.get("messageId")), event);
            case "REASONING_START" -> require(open.add("span " + event.get("messageId")), event);
            case "REASONING_END" -> require(open.remove("span " + event.get("messageId")), event);
            case "TOOL_CALL_START" -> call(event);
            case "TOOL_CALL_ARGS" -> {
                require(open.contains("call " + event.get("toolCallId")), event);
                ObjectNode function = function(event.get("toolCallId").asString());
                function.put(
                        "arguments",
                        function.get("arguments").asString()
                                + event.get("delta").asString());
            }
            case "TOOL_CALL_END" -> require(open.remove("call " + event.get("toolCallId")), event);
            case "TOOL_CALL_RESULT" -> result(event);
            case "MESSAGES_SNAPSHOT" -> {
                messages.clear();
                event.get("messages").forEach(message -> messages.add((ObjectNode) message.deepCopy()));
            }
            case "STATE_SNAPSHOT" -> state = event.get("snapshot");
            case "STATE_DELTA" -> state = patched(state, event.get("delta"));
            case "ACTIVITY_SNAPSHOT" -> {
                if (event.path("replace").asBoolean(true)) {
                    activities.put(event.get("messageId").asString(), event.get("content"));
                } else {
                    activities.putIfAbsent(event.get("messageId").asString(), event.get("content"));
                }
            }
            case "ACTIVITY_DELTA" ->
                activities.computeIfPresent(
                        event.get("messageId").asString(), (id, content) -> patched(content, event.get("patch")));
            default -> {}
        }
    }

    private static String owner(JsonNode event) {
        return event.path("subagentRunId").asString("") + "/";
    }

    private static JsonNode patched(@Nullable JsonNode document, JsonNode patch) {
        try {
            ObjectNode event = Json.MAPPER.createObjectNode().put("type", "STATE_DELTA");
            event.set("delta", patch);
            return JsonPatch.apply(
                    document == null ? Json.MAPPER.createObjectNode() : document,
                    ((StateEvent.Delta) AguiJson.readEvent(event, "")).delta());
        } catch (CannotPatch inapplicable) {
            return document == null ? Json.MAPPER.createObjectNode() : document;
        }
    }

    private void begin(String kind, JsonNode event, String role) {
        require(open.add(kind + " " + event.get("messageId")), event);
        String id = event.get("messageId").asString();
        if (find(id).isEmpty()) {
            messages.add(message(id, role, event));
        }
    }

    private static ObjectNode message(String id, String role, JsonNode event) {
        ObjectNode message =
                Json.MAPPER.createObjectNode().put("id", id).put("role", role).put("content", "");
        if (event.has("subagentRunId")) {
            message.set("subagentRunId", event.get("subagentRunId"));
        }
        return message;
    }

    private Optional<ObjectNode> find(String id) {
        return messages.stream()
                .filter(message -> message.path("id").asString().equals(id))
                .findFirst();
    }

    private void append(String kind, JsonNode event) {
        require(open.contains(kind + " " + event.get("messageId")), event);
        ObjectNode message = find(event.get("messageId").asString()).orElseThrow();
        message.put(
                "content",
                message.path("content").asString("") + event.get("delta").asString());
    }

    private void call(JsonNode event) {
        String id = event.get("toolCallId").asString();
        require(open.add("call " + event.get("toolCallId")), event);
        if (calls().stream().anyMatch(call -> call.path("id").asString().equals(id))) {
            return;
        }
        String parent = event.path("parentMessageId").asString(id);
        ObjectNode message = find(parent).orElseGet(() -> {
            ObjectNode made = message(parent, "assistant", event);
            messages.add(made);
            return made;
        });
        message.withArray("toolCalls")
                .addObject()
                .put("id", id)
                .putObject("function")
                .put("name", event.get("toolCallName").asString())
                .put("arguments", "");
    }

    private List<JsonNode> calls() {
        return messages.stream()
                .flatMap(message -> message.path("toolCalls").valueStream())
                .toList();
    }

    private ObjectNode function(String call) {
        return (ObjectNode) calls().stream()
                .filter(each -> each.path("id").asString().equals(call))
                .findFirst()
                .orElseThrow()
                .get("function");
    }

    /** After the message with the call. */
    private void result(JsonNode event) {
        String call = event.get("toolCallId").asString();
        ObjectNode message =
                message(event.get("messageId").asString(), "tool", event).put("toolCallId", call);
        message.set("content", event.get("content"));
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i)
                    .path("toolCalls")
                    .valueStream()
                    .anyMatch(each -> each.path("id").asString().equals(call))) {
                messages.add(i + 1, message);
                return;
            }
        }
        messages.add(message);
    }

    private static void require(boolean legal, JsonNode event) {
        if (!legal) {
            throw new AssertionError("A client dies of " + event);
        }
    }
}
