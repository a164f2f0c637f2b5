package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The first or the last event of a run. */
public sealed interface RunEvent extends AguiEvent {
    /** The tokens of the run's model requests, as its agent reports them; empty in the first event. */
    default List<TokenUsage> usage() {
        return List.of();
    }

    record Started(
            String threadId,
            String runId,
            @Nullable String protocolVersion,
            @Nullable String parentRunId,
            @Nullable RunAgentInput input,
            @JsonUnwrapped Common common)
            implements RunEvent {
        public Started(String threadId, String runId) {
            this(threadId, runId, RunAgentInput.PROTOCOL_VERSION, null, null, Common.NONE);
        }

        @Override
        public String type() {
            return "RUN_STARTED";
        }
    }

    /** @param outcome absent means success */
    record Finished(
            String threadId,
            String runId,
            @Nullable JsonNode result,
            @Nullable Outcome outcome,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TokenUsage> usage,
            @JsonUnwrapped Common common)
            implements RunEvent {
        public Finished {
            result = Absent.ifNull(result);
            usage = List.copyOf(usage);
        }

        public Finished(String threadId, String runId) {
            this(threadId, runId, null, null, List.of(), Common.NONE);
        }

        public Finished(String threadId, String runId, Outcome outcome) {
            this(threadId, runId, null, outcome, List.of(), Common.NONE);
        }

        @Override
        public String type() {
            return "RUN_FINISHED";
        }
    }

    record Failed(
            String message,
            @Nullable String code,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TokenUsage> usage,
            @JsonUnwrapped Common common)
            implements RunEvent {
        public Failed {
            usage = List.copyOf(usage);
        }

        public Failed(String message, @Nullable String code) {
            this(message, code, List.of(), Common.NONE);
        }

        @Override
        public String type() {
            return "RUN_ERROR";
        }
    }
}
