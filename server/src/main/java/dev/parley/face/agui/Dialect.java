package dev.parley.face.agui;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of events for one client. Clients that name no protocol version fail on some shapes of AG-UI 1.0, and get
 * the older shapes instead. A dialect adapts each event by itself, because the log already guarantees a legal sequence.
 */
enum Dialect {
    CURRENT,
    BEFORE_1_0;

    private static final Set<String> ADAPTED = Set.of("RUN_FINISHED", "TOOL_CALL_RESULT", "MESSAGES_SNAPSHOT");

    static Dialect of(RunAgentInput input) {
        return input.protocolVersion() == null ? BEFORE_1_0 : CURRENT;
    }

    /** True if events of a type may look different in this dialect. */
    boolean adapts(String type) {
        return this == BEFORE_1_0 && ADAPTED.contains(type);
    }

    ObjectNode adapt(AguiEvent event) {
        return adapt((ObjectNode) Json.MAPPER.readTree(AguiJson.write(event)));
    }

    ObjectNode adapt(ObjectNode event) {
        if (this == CURRENT) {
            return event;
        }
        return switch (event.path("type").asString()) {
            case "RUN_FINISHED" -> finished(event);
            case "TOOL_CALL_RESULT" -> flattened(event);
            case "MESSAGES_SNAPSHOT" -> {
                event.path("messages").forEach(Dialect::understandable);
                yield event;
            }
            default -> event;
        };
    }

    private static ObjectNode finished(ObjectNode event) {
        if (event.get("outcome") instanceof ObjectNode outcome) {
            if (outcome.path("type").asString("").equals("cancelled")) {
                ObjectNode error = Json.MAPPER
                        .createObjectNode()
                        .put("type", "RUN_ERROR")
                        .put("message", "The run was cancelled.")
                        .put("code", "cancelled");
                if (event.has("metadata")) {
                    error.set("metadata", event.get("metadata"));
                }
                return error;
            }
            outcome.remove("pendingToolCallIds");
        }
        return event;
    }

    private static void understandable(JsonNode message) {
        if (!(message instanceof ObjectNode object)) {
            return;
        }
        if (object.path("role").asString("").equals("tool")) {
            flattened(object);
        } else if (object.get("content") instanceof ArrayNode parts) {
            parts.removeIf(part -> part.path("source").path("type").asString("").equals("file"));
        }
    }

    /** Reduces a tool's result to its text. */
    private static ObjectNode flattened(ObjectNode holder) {
        if (holder.get("content") instanceof ArrayNode parts) {
            holder.put(
                    "content",
                    parts.valueStream()
                            .map(part -> part.path("text").asString(""))
                            .collect(Collectors.joining()));
        }
        return holder;
    }
}
