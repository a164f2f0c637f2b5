package dev.parley.runs.guard;

import dev.parley.protocol.agui.ActivityEvent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.protocol.agui.UnknownEvent;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules about the order of events in a run, by which AG-UI's clients verify their streams. One instance checks one
 * run, without chunks. If {@link #take} refuses an event, nothing changes.
 */
final class SequenceRules {
    private enum Phase {
        NEW,
        RUNNING,
        OVER
    }

    /**
     * Identifies an open span. Only for a step, the owner is a part of the identity, because a subagent may run a step
     * with the same name as a step of its parent.
     */
    private record Key(Span.Kind kind, String id, @Nullable String stepOwner) {}

    private final SequencedSet<Key> open = new LinkedHashSet<>();
    private final Owners owners = new Owners();
    private final Set<String> endedSubagents = new HashSet<>();
    private Phase phase = Phase.NEW;

    boolean isNew() {
        return phase == Phase.NEW;
    }

    boolean isOver() {
        return phase == Phase.OVER;
    }

    boolean isOpen(Span.Kind kind, String id) {
        return open.contains(new Key(kind, id, null));
    }

    SubagentState progressOf(String id) {
        if (endedSubagents.contains(id)) {
            return SubagentState.DONE;
        }
        return isOpen(Span.Kind.SUBAGENT, id) ? SubagentState.WORKING : SubagentState.UNKNOWN;
    }

    /** The open span of this kind that the owner opened last. */
    Optional<Span> latest(Span.Kind kind, @Nullable String owner) {
        return open.reversed().stream()
                .filter(key -> key.kind() == kind && Objects.equals(owner(key), owner))
                .map(key -> new Span(kind, key.id(), owner))
                .findFirst();
    }

    /** The open spans, the last opened first, which is the order in which they have to be closed. */
    List<Span> openSpans() {
        return open.reversed().stream()
                .map(key -> new Span(key.kind(), key.id(), owner(key)))
                .toList();
    }

    /** The current owner of an open span. A snapshot may have given the span to another owner. */
    private @Nullable String owner(Key open) {
        return switch (open.kind()) {
            case TEXT -> owners.owner(Owners.Kind.MESSAGE, open.id());
            case TOOL_CALL -> owners.owner(Owners.Kind.TOOL_CALL, open.id());
            case REASONING_SPAN, REASONING_MESSAGE -> owners.owner(Owners.Kind.REASONING, open.id());
            case STEP -> open.stepOwner();
            case SUBAGENT -> open.id();
        };
    }

    void take(AguiEvent event) throws IllegalSequence {
        if (phase == Phase.OVER) {
            throw new IllegalSequence(event.type() + " after the end of the run");
        }
        if (phase == Phase.NEW && !(event instanceof RunEvent.Started || event instanceof RunEvent.Failed)) {
            throw new IllegalSequence(event.type() + " before RUN_STARTED");
        }
        switch (event) {
            case RunEvent run -> takeRun(run);
            case MessagesSnapshot snapshot -> owners.learn(snapshot.messages(), true);
            case UnknownEvent unknown -> throw new IllegalSequence(unknown.type() + ", which is no event of AG-UI 1.0");
            case AttributedEvent attributed -> takeAttributed(attributed);
        }
    }

    private void takeRun(RunEvent event) throws IllegalSequence {
        switch (event) {
            case RunEvent.Started started -> {
                if (phase == Phase.RUNNING) {
                    throw new IllegalSequence("RUN_STARTED while the run is active");
                }
                phase = Phase.RUNNING;
                if (started.input() != null) {
                    owners.learn(started.input().messages(), false);
                }
            }
            case RunEvent.Finished _ -> {
                if (!open.isEmpty()) {
                    Key first = open.getFirst();
                    throw new IllegalSequence("RUN_FINISHED while " + first.kind() + " '" + first.id() + "' is open");
                }
                phase = Phase.OVER;
            }
            case RunEvent.Failed _ -> phase = Phase.OVER;
        }
    }

    private void takeAttributed(AttributedEvent event) throws IllegalSequence {
        switch (event) {
            case TextEvent text -> takeText(text);
            case ToolEvent tool -> takeTool(tool);
            case ReasoningEvent reasoning -> takeReasoning(reasoning);
            case SubagentEvent subagent -> takeSubagent(subagent);
            case StepEvent.Started step -> begin(step, Span.Kind.STEP, step.stepName());
            case StepEvent.Finished step -> end(step, Span.Kind.STEP, step.stepName());
            case ActivityEvent.Snapshot activity -> {
                // With replace: false, a client keeps an activity that it has already, so the activity also keeps its
                // owner.
                if (!Boolean.FALSE.equals(activity.replace())
                        || !owners.knows(Owners.Kind.ACTIVITY, activity.messageId())) {
                    owners.set(Owners.Kind.ACTIVITY, activity.messageId(), activity.subagentRunId());
                }
            }
            case ActivityEvent.Delta delta -> requireSame(delta, Owners.Kind.ACTIVITY, delta.messageId());
            case StateEvent _, PassedEvent _ -> {}
        }
    }

    private void takeText(TextEvent event) throws IllegalSequence {
        switch (event) {
            case TextEvent.Start start -> {
                requireClosed(start, Span.Kind.TEXT, start.messageId());
                requireSame(start, Owners.Kind.MESSAGE, start.messageId());
                owners.setIfNew(Owners.Kind.MESSAGE, start.messageId(), start.subagentRunId());
                begin(start, Span.Kind.TEXT, start.messageId());
            }
            case TextEvent.Content content -> {
                requireOpen(content, Span.Kind.TEXT, content.messageId());
                requireSame(content, Owners.Kind.MESSAGE, content.messageId());
            }
            case TextEvent.End end -> {
                requireOpen(end, Span.Kind.TEXT, end.messageId());
                requireSame(end, Owners.Kind.MESSAGE, end.messageId());
                end(end, Span.Kind.TEXT, end.messageId());
            }
            case TextEvent.Chunk chunk -> throw unexpanded(chunk);
        }
    }

    private void takeTool(ToolEvent event) throws IllegalSequence {
        switch (event) {
            case ToolEvent.Start start -> beginCall(start);
            case ToolEvent.Args args -> {
                requireOpen(args, Span.Kind.TOOL_CALL, args.toolCallId());
                requireSame(args, Owners.Kind.TOOL_CALL, args.toolCallId());
            }
            case ToolEvent.End end -> {
                requireOpen(end, Span.Kind.TOOL_CALL, end.toolCallId());
                requireSame(end, Owners.Kind.TOOL_CALL, end.toolCallId());
                end(end, Span.Kind.TOOL_CALL, end.toolCallId());
            }
            // The agent that runs a tool may differ from the agent that calls it. The resulting message belongs to the
            // agent that runs the tool.
            case ToolEvent.Result result -> owners.set(Owners.Kind.MESSAGE, result.messageId(), result.subagentRunId());
            case ToolEvent.Chunk chunk -> throw unexpanded(chunk);
        }
    }

    /**
     * A call is part of its parent message, so the call belongs to the message's owner. A call without an owner
     * inherits the message's owner.
     */
    private void beginCall(ToolEvent.Start start) throws IllegalSequence {
        String id = start.toolCallId();
        requireClosed(start, Span.Kind.TOOL_CALL, id);
        String claimed = start.subagentRunId();
        String parent = start.parentMessageId();
        boolean inherits = parent != null && owners.knows(Owners.Kind.MESSAGE, parent);
        if (parent != null && inherits) {
            requireSame(start, Owners.Kind.MESSAGE, parent);
        }
        requireSame(start, Owners.Kind.TOOL_CALL, id);
        String owner =
                claimed != null || parent == null || !inherits ? claimed : owners.owner(Owners.Kind.MESSAGE, parent);
        if (inherits
                && owners.knows(Owners.Kind.TOOL_CALL, id)
                && !Objects.equals(owner, owners.owner(Owners.Kind.TOOL_CALL, id))) {
            throw new IllegalSequence("TOOL_CALL_START for '" + id + "' in message '" + parent + "' of "
                    + Owners.name(owner) + ", but the call belongs to "
                    + Owners.name(owners.owner(Owners.Kind.TOOL_CALL, id)));
        }
        owners.setIfNew(Owners.Kind.TOOL_CALL, id, owner);
        begin(start, Span.Kind.TOOL_CALL, id);
    }

    private void takeReasoning(ReasoningEvent event) throws IllegalSequence {
        switch (event) {
            case ReasoningEvent.Start start -> beginReasoning(start, Span.Kind.REASONING_SPAN, start.messageId());
            case ReasoningEvent.MessageStart start ->
                beginReasoning(start, Span.Kind.REASONING_MESSAGE, start.messageId());
            case ReasoningEvent.MessageContent content -> {
                requireOpen(content, Span.Kind.REASONING_MESSAGE, content.messageId());
                requireSame(content, Owners.Kind.REASONING, content.messageId());
            }
            case ReasoningEvent.MessageEnd end -> {
                requireOpen(end, Span.Kind.REASONING_MESSAGE, end.messageId());
                requireSame(end, Owners.Kind.REASONING, end.messageId());
                end(end, Span.Kind.REASONING_MESSAGE, end.messageId());
            }
            case ReasoningEvent.End end -> {
                requireOpen(end, Span.Kind.REASONING_SPAN, end.messageId());
                requireSame(end, Owners.Kind.REASONING, end.messageId());
                end(end, Span.Kind.REASONING_SPAN, end.messageId());
            }
            case ReasoningEvent.EncryptedValue value -> {
                Owners.Kind kind = switch (value.subtype()) {
                    case TOOL_CALL -> Owners.Kind.TOOL_CALL;
                    case MESSAGE ->
                        owners.knows(Owners.Kind.MESSAGE, value.entityId())
                                ? Owners.Kind.MESSAGE
                                : Owners.Kind.REASONING;
                };
                requireSame(value, kind, value.entityId());
            }
            case ReasoningEvent.MessageChunk chunk -> throw unexpanded(chunk);
        }
    }

    /** A reasoning span and a message in the span may have the same id. They then have the same owner. */
    private void beginReasoning(AttributedEvent start, Span.Kind kind, String id) throws IllegalSequence {
        requireClosed(start, kind, id);
        requireSame(start, Owners.Kind.REASONING, id);
        owners.setIfNew(Owners.Kind.REASONING, id, start.subagentRunId());
        begin(start, kind, id);
    }

    private void takeSubagent(SubagentEvent event) throws IllegalSequence {
        String id = event.subagentRunId();
        switch (event) {
            case SubagentEvent.Started started -> {
                String parent = started.parentSubagentRunId();
                if (endedSubagents.contains(id)) {
                    throw new IllegalSequence("SUBAGENT_STARTED for '" + id + "', which has ended in this run");
                }
                if (parent != null && !isOpen(Span.Kind.SUBAGENT, parent) && !endedSubagents.contains(parent)) {
                    throw new IllegalSequence(
                            "SUBAGENT_STARTED for '" + id + "' under '" + parent + "', which never started");
                }
                begin(started, Span.Kind.SUBAGENT, id);
            }
            case SubagentEvent.Finished _, SubagentEvent.Failed _ -> {
                end(event, Span.Kind.SUBAGENT, id);
                endedSubagents.add(id);
            }
        }
    }

    private void begin(AttributedEvent event, Span.Kind kind, String id) throws IllegalSequence {
        requireClosed(event, kind, id);
        open.add(key(event, kind, id));
    }

    private void end(AttributedEvent event, Span.Kind kind, String id) throws IllegalSequence {
        requireOpen(event, kind, id);
        open.remove(key(event, kind, id));
    }

    private void requireClosed(AttributedEvent event, Span.Kind kind, String id) throws IllegalSequence {
        if (open.contains(key(event, kind, id))) {
            throw new IllegalSequence(event.type() + " for " + kind + " '" + id + "', which is open already");
        }
    }

    private void requireOpen(AttributedEvent event, Span.Kind kind, String id) throws IllegalSequence {
        if (!open.contains(key(event, kind, id))) {
            throw new IllegalSequence(event.type() + " for " + kind + " '" + id + "', which is not open"
                    + (kind == Span.Kind.STEP ? " for " + Owners.name(event.subagentRunId()) : ""));
        }
    }

    private void requireSame(AttributedEvent event, Owners.Kind kind, String id) throws IllegalSequence {
        owners.requireSame(event.type(), kind, id, event.subagentRunId());
    }

    private static Key key(AttributedEvent event, Span.Kind kind, String id) {
        return new Key(kind, id, kind == Span.Kind.STEP ? event.subagentRunId() : null);
    }

    private static IllegalSequence unexpanded(AguiEvent chunk) {
        return new IllegalSequence(chunk.type() + ", which the log does not hold");
    }
}
