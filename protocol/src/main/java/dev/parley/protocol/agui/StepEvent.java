package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/** The beginning or the end of a stage of a run. A step's name is unique among the open steps of one agent. */
public sealed interface StepEvent extends AttributedEvent {
    String stepName();

    record Started(
            String stepName,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements StepEvent {
        public Started(String stepName) {
            this(stepName, null, Common.NONE);
        }

        @Override
        public String type() {
            return "STEP_STARTED";
        }
    }

    record Finished(
            String stepName,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements StepEvent {
        public Finished(String stepName) {
            this(stepName, null, Common.NONE);
        }

        @Override
        public String type() {
            return "STEP_FINISHED";
        }
    }
}
