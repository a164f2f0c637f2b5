package dev.parley.runs.guard;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.SubagentOutcome;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import org.jspecify.annotations.Nullable;

/**
 * A message, call, step or subagent that a run has opened and has to close.
 *
 * @param owner the subagent that owns the span; null for the run's own agent
 */
public record Span(Kind kind, String id, @Nullable String owner) {
    public enum Kind {
        TEXT("text message"),
        TOOL_CALL("tool call"),
        REASONING_SPAN("reasoning span"),
        REASONING_MESSAGE("reasoning message"),
        STEP("step"),
        SUBAGENT("subagent");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** The event that closes the span when the run ends with {@code ending}. */
    AguiEvent end(RunEvent ending) {
        return switch (kind) {
            case TEXT -> new TextEvent.End(id, owner, Common.NONE);
            case TOOL_CALL -> new ToolEvent.End(id, owner, Common.NONE);
            case REASONING_SPAN -> new ReasoningEvent.End(id, owner, Common.NONE);
            case REASONING_MESSAGE -> new ReasoningEvent.MessageEnd(id, owner, Common.NONE);
            case STEP -> new StepEvent.Finished(id, owner, Common.NONE);
            case SUBAGENT -> endOfSubagent(ending);
        };
    }

    private SubagentEvent endOfSubagent(RunEvent ending) {
        return switch (ending) {
            case RunEvent.Failed failed -> new SubagentEvent.Failed(id, failed.message(), failed.code());
            case RunEvent.Finished finished ->
                switch (finished.outcome()) {
                    case Outcome.Cancelled _ -> new SubagentEvent.Failed(id, "The run was cancelled.", "cancelled");
                    case Outcome.Interrupted _ ->
                        new SubagentEvent.Finished(id, null, new SubagentOutcome.Suspended(null), Common.NONE);
                    case Outcome.Success _ -> new SubagentEvent.Finished(id);
                    case null -> new SubagentEvent.Finished(id);
                };
            case RunEvent.Started _ -> throw new IllegalArgumentException("a start ends nothing");
        };
    }
}
