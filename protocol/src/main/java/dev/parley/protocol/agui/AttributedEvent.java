package dev.parley.protocol.agui;

import org.jspecify.annotations.Nullable;

/** An event that may belong to a subagent. Without a subagent it belongs to the run's own agent. */
public sealed interface AttributedEvent extends AguiEvent
        permits StepEvent, TextEvent, ToolEvent, StateEvent, ActivityEvent, ReasoningEvent, SubagentEvent, PassedEvent {
    @Nullable
    String subagentRunId();
}
