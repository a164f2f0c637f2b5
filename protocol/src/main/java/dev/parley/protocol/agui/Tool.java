package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool of the frontend that the agent may call.
 *
 * @param parameters a JSON Schema, with its fields and numbers as given
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Tool(
        String name,
        String description,
        @Nullable JsonNode parameters,
        @Nullable ObjectNode metadata) {
    public Tool {
        parameters = Absent.ifNull(parameters);
    }
}
