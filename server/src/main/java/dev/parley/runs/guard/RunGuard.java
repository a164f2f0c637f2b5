package dev.parley.runs.guard;

import dev.parley.log.Event;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.protocol.agui.UnknownEvent;
import dev.parley.runs.lifecycle.RunUpdate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Protects the log of one run from the run's agent. The log never contains a sequence of events that AG-UI's clients
 * refuse (<a href="https://docs.ag-ui.com/concepts/events">AG-UI: events</a>), whatever the agent sends. The guard does
 * no I/O and reads no clock; only one thread at a time may use it.
 *
 * <p>The guard repairs events: chunks become start, content and end; open spans are closed before the run ends, the
 * last opened first; ids of thread and run are replaced by ours; a run always begins with RUN_STARTED. The guard drops
 * empty deltas, events unknown to a client of 1.0, a tool's result that the log already holds, and an agent's events
 * with names that the thread's own events use. Reported usage is bounded ({@link UsageReport}). Everything else that is
 * illegal ends the run with RUN_ERROR {@value #ILLEGAL_EVENT}. After the run's terminal event, the guard accepts no
 * further events.
 */
public final class RunGuard {
    /** The code of a run that ended because its agent broke the protocol. */
    static final String ILLEGAL_EVENT = "illegal_event";

    /** The names of the thread's own events. An agent's event with such a name would seem to come from the server. */
    private static final Set<String> RESERVED = Set.of(
            "message_committed", "message_revised", "thread_updated", RunUpdate.TYPE, Event.Announced.ERASED, "resync");

    /** The maximum length of a reason. People read the reason, but the agent's ids in it may be of any length. */
    private static final int MAX_REASON = 500;

    private final String threadId;
    private final String runId;
    private final SequenceRules rules = new SequenceRules();
    private final Chunks chunks = new Chunks(rules);
    private final StorableText texts = new StorableText();
    private final Transcript transcript = new Transcript();

    /** The ids must be in the form in which the run's client wrote them. */
    public RunGuard(String threadId, String runId) {
        this.threadId = threadId;
        this.runId = runId;
    }

    /**
     * The guard of a run that has events in the log. It continues like the guard that wrote these events, but does not
     * know which spans were opened by chunks. Such a span is closed by its end event or by the end of the run.
     */
    public static RunGuard restore(String threadId, String runId, Iterable<? extends AguiEvent> logged) {
        RunGuard guard = new RunGuard(threadId, runId);
        for (AguiEvent event : logged) {
            try {
                guard.rules.take(event);
            } catch (IllegalSequence illegal) {
                throw new IllegalArgumentException("The log of run " + runId + " holds " + illegal.why(), illegal);
            }
            guard.transcript.add(event);
        }
        return guard;
    }

    /** The events that enter the log for an event of the agent, in order; may be empty. */
    public List<AguiEvent> accept(AguiEvent event) {
        List<AguiEvent> entering = new ArrayList<>(2);
        if (rules.isOver() || event instanceof UnknownEvent || isReserved(event)) {
            return entering;
        }
        try {
            for (AguiEvent each : chunks.expand(event)) {
                admit(each, entering);
            }
        } catch (IllegalSequence illegal) {
            String why = illegal.why();
            String reason = why.length() > MAX_REASON ? why.substring(0, MAX_REASON) + "…" : why;
            end(new RunEvent.Failed("The agent sent " + reason + ".", ILLEGAL_EVENT), entering);
        }
        return entering;
    }

    /** The events that enter the log when the run fails for a reason outside its events. */
    public List<AguiEvent> fail(String message, @Nullable String code) {
        return accept(new RunEvent.Failed(message, code));
    }

    /** The events that enter the log when a caller cancels the run. */
    public List<AguiEvent> cancel() {
        List<AguiEvent> entering = new ArrayList<>();
        if (!rules.isOver()) {
            end(new RunEvent.Finished(threadId, runId, new Outcome.Cancelled()), entering);
        }
        return entering;
    }

    public boolean isOver() {
        return rules.isOver();
    }

    /** The open spans, the last opened first. */
    public List<Span> openSpans() {
        return rules.openSpans();
    }

    /** The open span of this kind that the owner opened last. */
    public Optional<Span> latest(Span.Kind kind, @Nullable String owner) {
        return rules.latest(kind, owner);
    }

    /** The state of a subagent. */
    public SubagentState progressOf(String id) {
        return rules.progressOf(id);
    }

    public Transcript transcript() {
        return transcript;
    }

    private void admit(AguiEvent event, List<AguiEvent> entering) throws IllegalSequence {
        switch (event) {
            case RunEvent.Started started ->
                enter(
                        new RunEvent.Started(
                                threadId,
                                runId,
                                RunAgentInput.PROTOCOL_VERSION,
                                started.parentRunId(),
                                started.input(),
                                started.common()),
                        entering);
            case RunEvent.Finished finished -> {
                if (rules.isNew()) {
                    throw new IllegalSequence("RUN_FINISHED before RUN_STARTED");
                }
                end(
                        new RunEvent.Finished(
                                threadId,
                                runId,
                                finished.result(),
                                withoutRepeats(finished.outcome()),
                                UsageReport.bounded(finished.usage()),
                                finished.common()),
                        entering);
            }
            case RunEvent.Failed failed ->
                end(
                        new RunEvent.Failed(
                                failed.message(), failed.code(), UsageReport.bounded(failed.usage()), failed.common()),
                        entering);
            // Clients would show the result twice.
            case ToolEvent.Result result when transcript.hasResult(result.messageId()) -> {}
            case MessagesSnapshot _, AttributedEvent _, UnknownEvent _ -> enter(event, entering);
        }
    }

    private void end(RunEvent ending, List<AguiEvent> entering) {
        boolean completes =
                ending instanceof RunEvent.Finished finished && !(finished.outcome() instanceof Outcome.Cancelled);
        try {
            if (rules.isNew()) {
                enter(new RunEvent.Started(threadId, runId), entering);
            }
            if (!completes) {
                transcript.cutOpenItems();
            }
            for (Span span : rules.openSpans()) {
                enter(span.end(ending), entering);
            }
            enter(ending, entering);
        } catch (IllegalSequence illegal) {
            throw new IllegalStateException("The guard itself made " + illegal.why(), illegal);
        }
    }

    private void enter(AguiEvent event, List<AguiEvent> entering) throws IllegalSequence {
        rules.take(event);
        AguiEvent storable = texts.of(event);
        if (!isEmptyDelta(storable)) {
            transcript.add(storable);
            entering.add(storable);
        }
    }

    private static boolean isReserved(AguiEvent event) {
        return event instanceof PassedEvent.Custom custom && RESERVED.contains(custom.name());
    }

    private static boolean isEmptyDelta(AguiEvent event) {
        boolean empty = switch (event) {
            case TextEvent.Content content -> content.delta().isEmpty();
            case ToolEvent.Args args -> args.delta().isEmpty();
            case ReasoningEvent.MessageContent content -> content.delta().isEmpty();
            default -> false;
        };
        Common common = event.common();
        return empty && common.metadata() == null && common.rawEvent() == null;
    }

    /** The outcome with each interrupt once, because later clients refuse an interrupt that is asked twice. */
    private static @Nullable Outcome withoutRepeats(@Nullable Outcome outcome) {
        if (!(outcome instanceof Outcome.Interrupted interrupted)) {
            return outcome;
        }
        Map<String, Interrupt> byId = new LinkedHashMap<>();
        interrupted.interrupts().forEach(interrupt -> byId.putIfAbsent(interrupt.id(), interrupt));
        return new Outcome.Interrupted(List.copyOf(byId.values()));
    }
}
