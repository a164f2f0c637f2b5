package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of a tool call, which should be one JSON object; models write any text. */
final class Arguments {
    private Arguments() {}

    /** The arguments as an object; empty if they are none. A blank text counts as an empty object. */
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

    /** The text itself if it is a JSON object, else an object that holds it as {@code unreadable}. */
    static String repaired(String written) {
        return read(written)
                .map(object -> written.isBlank() ? "{}" : written)
                .orElseGet(() -> Json.MAPPER
                        .createObjectNode()
                        .put("unreadable", written)
                        .toString());
    }
}
