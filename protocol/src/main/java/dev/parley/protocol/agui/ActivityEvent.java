package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Progress that is shown among the messages without being a message. */
public sealed interface ActivityEvent extends AttributedEvent {
    /** @param replace absent means true; false keeps an activity that already exists */
    record Snapshot(
            String messageId,
            String activityType,
            ObjectNode content,
            @Nullable Boolean replace,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ActivityEvent {
        @Override
        public String type() {
            return "ACTIVITY_SNAPSHOT";
        }
    }

    /** @param patch a JSON Patch (RFC 6902), as given */
    record Delta(
            String messageId,
            String activityType,
            ArrayNode patch,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ActivityEvent {
        @Override
        public String type() {
            return "ACTIVITY_DELTA";
        }
    }
}
