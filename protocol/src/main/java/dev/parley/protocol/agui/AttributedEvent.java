package dev.parley.protocol.agui;

import org.jspecify.annotations.Nullable;

/** An event that may be a subagent's. Without a subagent it is the run's own agent's. */
public sealed interface AttributedEvent extends AguiEvent
        permits StepEvent, TextEvent, ToolEvent, StateEvent, ActivityEvent, ReasoningEvent, SubagentEvent, PassedEvent {
    @Nullable
    String subagentRunId();
}
