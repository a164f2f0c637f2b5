package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** A change of the shared state. */
public sealed interface StateEvent extends AttributedEvent {
    /** @param snapshot any JSON; null is data here */
    record Snapshot(
            JsonNode snapshot,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements StateEvent {
        public Snapshot(JsonNode snapshot) {
            this(snapshot, null, Common.NONE);
        }

        @Override
        public String type() {
            return "STATE_SNAPSHOT";
        }
    }

    /** @param delta a JSON Patch (RFC 6902), as given */
    record Delta(
            ArrayNode delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements StateEvent {
        public Delta(ArrayNode delta) {
            this(delta, null, Common.NONE);
        }

        @Override
        public String type() {
            return "STATE_DELTA";
        }
    }
}
