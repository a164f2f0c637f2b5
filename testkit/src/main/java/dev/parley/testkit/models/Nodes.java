package dev.parley.testkit.models;

import dev.parley.protocol.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Short functions that create and read JSON trees. */
final class Nodes {
    private Nodes() {}

    static ObjectNode object() {
        return Json.MAPPER.createObjectNode();
    }

    static ArrayNode array(JsonNode... elements) {
        return Json.MAPPER.createArrayNode().addAll(List.of(elements));
    }

    static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(Json.MAPPER.readTree(text)).filter(node -> !node.isMissingNode());
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** The tree of a JSON text. Any other text becomes a string node, because a model may produce such a text. */
    static JsonNode tree(String text) {
        return parsed(text).orElseGet(() -> Json.MAPPER.getNodeFactory().stringNode(text));
    }

    static List<JsonNode> list(JsonNode array) {
        return array.isArray() ? array.valueStream().toList() : List.of();
    }

    static Stream<JsonNode> stream(JsonNode array) {
        return list(array).stream();
    }

    /** The text of a string node; empty for any other node. */
    static String text(JsonNode node) {
        return node.isString() ? node.asString() : "";
    }
}
