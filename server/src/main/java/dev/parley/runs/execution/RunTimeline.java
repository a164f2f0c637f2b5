package dev.parley.runs.execution;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The stage and the latency of each message of a run, and the names of its subagents, derived from the run's events.
 */
final class RunTimeline {
    /** The stage of a message that the agent sends while none of its named steps is open. */
    private static final String DEFAULT_STAGE = "execution";

    private static final String TOOL_STAGE = "tool_execution";

    /** @param latencyMillis the time from the beginning of the stage, or of the run, until the message was complete */
    record Moment(String stage, long latencyMillis) {}

    private record Timing(String stage, long since, long until) {}

    private final Map<String, Long> openSteps = new LinkedHashMap<>();
    private final Map<String, Timing> timings = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private long started;
    private long now;

    /** @param millis the time of the event */
    void note(AguiEvent event, long millis) {
        now = Math.max(now, millis);
        switch (event) {
            case RunEvent.Started _ -> started = millis;
            case SubagentEvent.Started child -> names.put(child.subagentRunId(), child.name());
            case StepEvent.Started step -> openSteps.put(step.stepName(), millis);
            case StepEvent.Finished step -> openSteps.remove(step.stepName());
            case TextEvent.Start start -> begin(start.messageId(), DEFAULT_STAGE);
            case TextEvent.End end -> end(end.messageId());
            case ToolEvent.Start start -> begin(start.toolCallId(), DEFAULT_STAGE);
            case ToolEvent.End end -> end(end.toolCallId());
            case ToolEvent.Result result -> {
                begin(result.messageId(), TOOL_STAGE);
                end(result.messageId());
            }
            case ReasoningEvent.MessageStart start -> begin(start.messageId(), DEFAULT_STAGE);
            case ReasoningEvent.MessageEnd end -> end(end.messageId());
            default -> {}
        }
    }

    private void begin(String id, String defaultStage) {
        String stage = defaultStage;
        long since = started;
        for (Map.Entry<String, Long> step : openSteps.entrySet()) {
            stage = step.getKey();
            since = step.getValue();
        }
        timings.putIfAbsent(id, new Timing(stage, since, 0));
    }

    private void end(String id) {
        timings.computeIfPresent(id, (key, timing) -> new Timing(timing.stage(), timing.since(), now));
    }

    /** The name of a subagent of the run. */
    Optional<String> nameOf(String subagentRunId) {
        return Optional.ofNullable(names.get(subagentRunId));
    }

    Moment of(String id) {
        Timing timing = timings.getOrDefault(id, new Timing(DEFAULT_STAGE, started, 0));
        long until = timing.until() == 0 ? now : timing.until();
        return new Moment(timing.stage(), Math.max(0, until - timing.since()));
    }
}
