package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The beginning or the end of a subagent, an agent that works for the run's agent. The id names one invocation only.
 */
public sealed interface SubagentEvent extends AttributedEvent {
    @Override
    String subagentRunId();

    record Started(
            String subagentRunId,
            String name,
            @Nullable String description,
            @Nullable String parentSubagentRunId,
            @Nullable String parentToolCallId,
            @Nullable String parentMessageId,
            @JsonUnwrapped Common common)
            implements SubagentEvent {
        public Started(String subagentRunId, String name) {
            this(subagentRunId, name, null, null, null, null, Common.NONE);
        }

        /** The same event without a parent subagent. */
        public Started withoutParent() {
            return new Started(subagentRunId, name, description, null, parentToolCallId, parentMessageId, common);
        }

        @Override
        public String type() {
            return "SUBAGENT_STARTED";
        }
    }

    record Finished(
            String subagentRunId,
            @Nullable JsonNode result,
            @Nullable SubagentOutcome outcome,
            @JsonUnwrapped Common common)
            implements SubagentEvent {
        public Finished {
            result = Absent.ifNull(result);
        }

        public Finished(String subagentRunId) {
            this(subagentRunId, null, null, Common.NONE);
        }

        @Override
        public String type() {
            return "SUBAGENT_FINISHED";
        }
    }

    record Failed(
            String subagentRunId,
            String message,
            @Nullable String code,
            @JsonUnwrapped Common common) implements SubagentEvent {
        public Failed(String subagentRunId, String message, @Nullable String code) {
            this(subagentRunId, message, code, Common.NONE);
        }

        @Override
        public String type() {
            return "SUBAGENT_ERROR";
        }
    }
}
