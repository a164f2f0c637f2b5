package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** What a model gives a tool, which should be one JSON object and is whatever it wrote. */
final class Arguments {
    private Arguments() {}

    /** Empty if it is no JSON object. Nothing at all means none. */
    static Optional<ObjectNode> read(String written) {
        if (written.isBlank()) {
            return Optional.of(Json.MAPPER.createObjectNode());
        }
        try {
            return Json.MAPPER.readTree(written) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException broken) {
            return Optional.empty();
        }
    }

    /** The same if it is a JSON object, else one that holds it as a text. */
    static String mended(String written) {
        return read(written)
                .map(object -> written.isBlank() ? "{}" : written)
                .orElseGet(() -> Json.MAPPER
                        .createObjectNode()
                        .put("unreadable", written)
                        .toString());
    }
}
