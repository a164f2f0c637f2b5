package dev.parley.log;

import dev.parley.protocol.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event that adds to a streamed text and says nothing else, so that it can be put together with its neighbours.
 *
 * @param around the event with an empty text in the place of its own
 */
record Delta(ObjectNode around, String text) {
    private static final String TEXT = "delta";
    /** The member that names what is added to, by type. */
    private static final Map<String, String> IDS = Map.of(
            "TEXT_MESSAGE_CONTENT", "messageId",
            "REASONING_MESSAGE_CONTENT", "messageId",
            "TOOL_CALL_ARGS", "toolCallId");

    private static final Set<String> OTHERS = Set.of("type", TEXT, "subagentRunId", "metadata");

    /** Empty for any other event, and for one that has its own time, what its provider sent, or members we do not know. */
    static Optional<Delta> read(String json) {
        // Half a surrogate pair can only stand there escaped. Unescaped it could not be stored.
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

    /** Whether another one differs in nothing but its text. */
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
