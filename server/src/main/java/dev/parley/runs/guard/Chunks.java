package dev.parley.runs.guard;

import dev.parley.protocol.agui.ActivityEvent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.Common;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns chunks into start, content and end, as clients do. Each agent of a run, including each subagent, streams at
 * most one span at a time as chunks. The agent's next event that does not continue the span closes it.
 *
 * <p>In one way this class is more lenient than the clients. Chunks and plain events may both continue a span, even if
 * an event of the other kind opened the span. Therefore a run can continue after a restart, although only the open
 * spans are then known, and not the events that opened them.
 */
final class Chunks {
    private final SequenceRules rules;

    /**
     * The spans that chunks have opened, by owner, in the order of opening; the owner null stands for the run's own
     * agent.
     */
    private final Map<@Nullable String, ChunkedSpan> pending = new LinkedHashMap<>();

    Chunks(SequenceRules rules) {
        this.rules = rules;
    }

    /** The events that replace this event, in order. */
    List<AguiEvent> expand(AguiEvent event) throws IllegalSequence {
        return switch (event) {
            case TextEvent.Chunk chunk -> expandChunk(ChunkedSpan.of(chunk), chunk.delta(), chunk.common());
            case ToolEvent.Chunk chunk -> expandChunk(ChunkedSpan.of(chunk), chunk.delta(), chunk.common());
            case ReasoningEvent.MessageChunk chunk -> expandChunk(ChunkedSpan.of(chunk), chunk.delta(), chunk.common());
            case RunEvent _, UnknownEvent _ -> List.of(event); // The guard closes everything at the end of a run.
            case MessagesSnapshot _ -> closing(List.copyOf(pending.values()), event);
            case SubagentEvent.Started _, PassedEvent.Raw _, ActivityEvent _, ReasoningEvent.EncryptedValue _ ->
                List.of(event);
            case TextEvent.Content content -> explicit(content, Span.Kind.TEXT, content.messageId());
            case TextEvent.End end -> explicit(end, Span.Kind.TEXT, end.messageId());
            case ToolEvent.Args args -> explicit(args, Span.Kind.TOOL_CALL, args.toolCallId());
            case ToolEvent.End end -> explicit(end, Span.Kind.TOOL_CALL, end.toolCallId());
            case ReasoningEvent.MessageContent content ->
                explicit(content, Span.Kind.REASONING_MESSAGE, content.messageId());
            case ReasoningEvent.MessageEnd end -> explicit(end, Span.Kind.REASONING_MESSAGE, end.messageId());
            case TextEvent.Start _,
                    ToolEvent.Start _,
                    ToolEvent.Result _,
                    ReasoningEvent.Start _,
                    ReasoningEvent.End _,
                    ReasoningEvent.MessageStart _,
                    StateEvent _,
                    StepEvent _,
                    PassedEvent.Custom _,
                    SubagentEvent.Finished _,
                    SubagentEvent.Failed _ -> closingPendingOf((AttributedEvent) event);
        };
    }

    /**
     * A plain event may continue a span that chunks have opened. From then on, only a plain event or the end of the run
     * closes the span.
     */
    private List<AguiEvent> explicit(AttributedEvent event, Span.Kind kind, String id) {
        Optional<ChunkedSpan> taken = holder(kind, id);
        if (taken.isPresent()) {
            pending.remove(taken.get().owner());
            return List.of(event);
        }
        return closingPendingOf(event);
    }

    private List<AguiEvent> closingPendingOf(AttributedEvent event) {
        ChunkedSpan span = pending.get(event.subagentRunId());
        return span == null ? List.of(event) : closing(List.of(span), event);
    }

    private List<AguiEvent> closing(List<ChunkedSpan> spans, AguiEvent event) {
        List<AguiEvent> events = new ArrayList<>();
        for (ChunkedSpan span : spans) {
            pending.remove(span.owner());
            events.add(span.end());
        }
        events.add(event);
        return events;
    }

    private List<AguiEvent> expandChunk(ChunkedSpan chunk, @Nullable String delta, Common common)
            throws IllegalSequence {
        Optional<ChunkedSpan> continued = continued(chunk);
        List<AguiEvent> events = new ArrayList<>(3);
        ChunkedSpan span;
        if (continued.isPresent()) {
            span = continued.get();
            span.requireAgreement(chunk);
        } else {
            chunk.requireOpener();
            ChunkedSpan before = pending.remove(chunk.owner());
            if (before != null) {
                events.add(before.end());
            }
            span = chunk;
            pending.put(chunk.owner(), chunk);
            // The raw event belongs to the content, since the agent sent no start.
            events.add(chunk.start(new Common(common.timestamp(), null, common.metadata())));
        }
        boolean tellsMore = continued.isPresent() && common.metadata() != null || common.rawEvent() != null;
        if (delta != null && !delta.isEmpty() || tellsMore) {
            String owner = chunk.owner() == null ? span.owner() : chunk.owner();
            events.add(span.content(delta == null ? "" : delta, owner, common));
        }
        return events;
    }

    /** The span that a chunk continues; empty if the chunk opens a new span. */
    private Optional<ChunkedSpan> continued(ChunkedSpan chunk) throws IllegalSequence {
        String id = chunk.id();
        String owner = chunk.owner();
        if (id != null) {
            Optional<ChunkedSpan> holder = holder(chunk.kind(), id);
            if (holder.isEmpty() && rules.isOpen(chunk.kind(), id)) {
                return Optional.of(chunk); // A start event opened the span; the rules know its owner.
            }
            return holder;
        }
        ChunkedSpan own = pending.get(owner);
        if (own != null && own.kind() == chunk.kind()) {
            return Optional.of(own);
        }
        List<ChunkedSpan> others = owner != null
                ? List.of()
                : pending.values().stream()
                        .filter(span -> span.kind() == chunk.kind())
                        .toList();
        if (others.size() > 1) {
            throw new IllegalSequence("a chunk that names neither its " + chunk.kind() + " nor its subagent, while "
                    + others.size() + " are open");
        }
        return others.isEmpty() ? rules.latest(chunk.kind(), owner).map(chunk::named) : Optional.of(others.getFirst());
    }

    private Optional<ChunkedSpan> holder(Span.Kind kind, String id) {
        for (ChunkedSpan span : pending.values()) {
            if (span.kind() == kind && id.equals(span.id())) {
                return Optional.of(span);
            }
        }
        return Optional.empty();
    }
}
