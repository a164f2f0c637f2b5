package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Reads the arguments of a tool call. The arguments should be one JSON object, but models write any text. */
final class Arguments {
    private Arguments() {}

    /** The arguments as an object; empty if the text is no object. A blank text counts as an empty object. */
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

    /** The text itself if it is a JSON object, else an object with the text in the field {@code unreadable}. */
    static String repaired(String written) {
        return read(written)
                .map(object -> written.isBlank() ? "{}" : written)
                .orElseGet(() -> Json.MAPPER
                        .createObjectNode()
                        .put("unreadable", written)
                        .toString());
    }
}
