package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A tool call in an assistant message. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "type"})
public record ToolCall(
        String id,
        Function function,
        @Nullable String encryptedValue,
        @Nullable ObjectNode metadata) {
    public ToolCall(String id, String name, String arguments) {
        this(id, new Function(name, arguments), null, null);
    }

    /** The field is required on the wire, and its value is always the same. */
    @JsonProperty
    public String type() {
        return "function";
    }

    /** @param arguments the text that the model wrote; it should be JSON, but may be invalid */
    public record Function(String name, String arguments) {}
}
