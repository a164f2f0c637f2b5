package dev.parley.log;

import dev.parley.protocol.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event that only adds to a streamed text, so that it can be merged with its neighbours.
 *
 * @param around the event with an empty text instead of its own
 */
record Delta(ObjectNode around, String text) {
    private static final String TEXT = "delta";
    /** The field that names the streamed message or tool call, by event type. */
    private static final Map<String, String> IDS = Map.of(
            "TEXT_MESSAGE_CONTENT", "messageId",
            "REASONING_MESSAGE_CONTENT", "messageId",
            "TOOL_CALL_ARGS", "toolCallId");

    private static final Set<String> OTHERS = Set.of("type", TEXT, "subagentRunId", "metadata");

    /**
     * Reads a delta. Empty for any other event, and for a delta with a time of its own, raw provider data, or unknown
     * fields.
     */
    static Optional<Delta> read(String json) {
        // Merging would write an escaped half of a surrogate pair without its escape, which could not be stored.
        if (json.contains("\\ud") || json.contains("\\uD")) {
            return Optional.empty();
        }
        try {
            return Json.MAPPER.readTree(json) instanceof ObjectNode event && isPlain(event)
                    ? Optional.of(of(event))
                    : Optional.empty();
        } catch (JacksonException foreign) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(ObjectNode event) {
        JsonNode type = event.path("type");
        String id = type.isString() ? IDS.get(type.stringValue()) : null;
        return id != null
                && event.path(id).isString()
                && event.path(TEXT).isString()
                && event.propertyNames().stream().allMatch(name -> name.equals(id) || OTHERS.contains(name));
    }

    private static Delta of(ObjectNode event) {
        String text = event.path(TEXT).stringValue();
        return new Delta(event.put(TEXT, ""), text);
    }

    /** True if the other delta differs only in its text. */
    boolean isLike(Delta other) {
        return around.equals(other.around);
    }

    Delta with(String other) {
        return new Delta(around, other);
    }

    String json() {
        return Json.MAPPER.writeValueAsString(around.deepCopy().put(TEXT, text));
    }
}
