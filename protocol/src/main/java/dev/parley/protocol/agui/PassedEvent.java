package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An event that the protocol only passes on: an event of a provider or of an application. */
public sealed interface PassedEvent extends AttributedEvent {
    /** @param event any JSON; null is data here */
    record Raw(
            JsonNode event,
            @Nullable String source,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements PassedEvent {
        @Override
        public String type() {
            return "RAW";
        }
    }

    /** @param value any JSON; null is data here */
    record Custom(
            String name,
            JsonNode value,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements PassedEvent {
        public Custom(String name, JsonNode value) {
            this(name, value, null, Common.NONE);
        }

        @Override
        public String type() {
            return "CUSTOM";
        }
    }
}
