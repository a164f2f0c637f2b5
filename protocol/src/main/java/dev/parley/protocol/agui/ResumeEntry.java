package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The answer to an {@link Interrupt}. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResumeEntry(
        String interruptId,
        Status status,
        @Nullable JsonNode payload,
        @Nullable ObjectNode metadata) {
    public ResumeEntry {
        payload = Absent.ifNull(payload);
    }

    /** The status of an answer: resolved or cancelled. */
    public enum Status {
        RESOLVED,
        CANCELLED;

        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
