package dev.parley.agents.demo;

import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the JSON objects that people type after commands. */
final class JsonObjects {
    private JsonObjects() {}

    /** The object in a text; empty unless the text is exactly one JSON object. */
    static Optional<ObjectNode> in(String text) {
        try {
            return Json.MAPPER.readTree(text) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }

    static boolean isDeeper(JsonNode node, int levels) {
        return node.isContainer() && (levels == 0 || node.valueStream().anyMatch(child -> isDeeper(child, levels - 1)));
    }
}
