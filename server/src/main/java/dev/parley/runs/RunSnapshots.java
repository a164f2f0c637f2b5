package dev.parley.runs;

import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.ActivityEvent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.execution.RunJournal;
import dev.parley.runs.execution.RunLedger;
import dev.parley.runs.guard.Span;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads snapshots of runs from the log alone, so they are the same on every node and after every restart. */
final class RunSnapshots {
    /** The number of attempts to read a run. A run that ends during the read is read again, and is then over. */
    private static final int TRIES = 10;

    private final RunStore store;
    private final LogReader reader;
    private final RunJournal journal;

    RunSnapshots(RunStore store, LogReader reader, RunJournal journal) {
        this.store = store;
        this.reader = reader;
        this.journal = journal;
    }

    RunSnapshot of(UUID task) {
        for (int i = 0; i < TRIES; i++) {
            Run run = store.find(task).orElseThrow(RunStore::noSuchRun);
            long position = reader.lastPosition(run.thread());
            if (run.state() instanceof RunState.Over) {
                return new RunSnapshot(run, position, List.of(), List.of(), state(run), Optional.of(ending(run)));
            }
            Optional<List<AguiEvent>> events = journal.loggedUntil(run, position);
            if (events.isPresent()) {
                RunLedger ledger = journal.restore(run, events.get());
                if (!ledger.guard().isOver()) {
                    return new RunSnapshot(
                            run,
                            position,
                            ledger.guard().transcript().items(),
                            reopening(events.get(), ledger.guard().openSpans()),
                            ledger.state().or(() -> state(run)),
                            Optional.empty());
                }
            }
        }
        throw new IllegalStateException("Run " + task + " ended during each read");
    }

    private Optional<JsonNode> state(Run run) {
        return store.state(run.thread()).map(state -> Json.MAPPER.readTree(state.json()));
    }

    /** The run's terminal event, without the questions and calls that have been answered since. */
    private RunEvent ending(Run run) {
        Optional<RunEvent> last = journal.lastEvent(run);
        String failure = run.result().errorMessage();
        if (failure != null) {
            return last.orElseGet(
                    () -> new RunEvent.Failed(failure, run.result().errorCode()));
        }
        RunEvent.Finished logged = last.orElse(null) instanceof RunEvent.Finished finished ? finished : null;
        Outcome outcome = outcome(run);
        if (outcome instanceof Outcome.Interrupted interrupted) {
            Set<String> open = store.openInterrupts(run.thread()).stream()
                    .map(each -> each.question().id())
                    .collect(Collectors.toSet());
            List<Interrupt> left = interrupted.interrupts().stream()
                    .filter(interrupt -> open.contains(interrupt.id()))
                    .toList();
            outcome = left.isEmpty() ? new Outcome.Success(null) : new Outcome.Interrupted(left);
        } else if (outcome instanceof Outcome.Success) {
            Set<String> open = store.openCallsOf(run.taskId(), run.thread());
            outcome = new Outcome.Success(
                    open.isEmpty() ? null : open.stream().sorted().toList());
        }
        return new RunEvent.Finished(
                run.thread().toString(),
                run.runId(),
                logged == null ? null : logged.result(),
                outcome,
                logged == null ? List.of() : logged.usage(),
                logged == null ? Common.NONE : logged.common());
    }

    private static @Nullable Outcome outcome(Run run) {
        if (run.result().outcome() == null) {
            return null;
        }
        ObjectNode event = Json.MAPPER
                .createObjectNode()
                .put("type", "RUN_FINISHED")
                .put("threadId", run.thread().toString())
                .put("runId", run.runId());
        event.set("outcome", Json.MAPPER.readTree(run.result().outcome()));
        return AguiJson.readEvent(event, "") instanceof RunEvent.Finished finished ? finished.outcome() : null;
    }

    private record Opened(Span.Kind kind, String id) {}

    /** The events that opened the open spans, in the order in which the spans opened, and then the run's activities. */
    private static List<AguiEvent> reopening(List<AguiEvent> events, List<Span> open) {
        Map<Opened, AguiEvent> openers = new HashMap<>();
        List<AguiEvent> activities = new ArrayList<>();
        for (AguiEvent event : events) {
            switch (event) {
                case TextEvent.Start start -> openers.put(new Opened(Span.Kind.TEXT, start.messageId()), start);
                case ToolEvent.Start start -> openers.put(new Opened(Span.Kind.TOOL_CALL, start.toolCallId()), start);
                case ReasoningEvent.Start start ->
                    openers.put(new Opened(Span.Kind.REASONING_SPAN, start.messageId()), start);
                case ReasoningEvent.MessageStart start ->
                    openers.put(new Opened(Span.Kind.REASONING_MESSAGE, start.messageId()), start);
                case StepEvent.Started start -> openers.put(step(start.stepName(), start.subagentRunId()), start);
                case SubagentEvent.Started start ->
                    openers.put(new Opened(Span.Kind.SUBAGENT, start.subagentRunId()), start);
                case ActivityEvent activity -> activities.add(activity);
                default -> {}
            }
        }
        List<AguiEvent> reopened = new ArrayList<>();
        Set<String> subagents = new HashSet<>();
        for (Span span : open.reversed()) {
            AguiEvent opener = openers.get(
                    span.kind() == Span.Kind.STEP ? step(span.id(), span.owner()) : new Opened(span.kind(), span.id()));
            if (opener instanceof SubagentEvent.Started child) {
                reopened.add(under(child, subagents));
                subagents.add(child.subagentRunId());
            } else if (opener != null) {
                reopened.add(opener);
            }
        }
        reopened.addAll(activities);
        return reopened;
    }

    /** The key of a step contains its owner, because two subagents may be in steps with the same name. */
    private static Opened step(String name, @Nullable String owner) {
        return new Opened(Span.Kind.STEP, owner == null ? name : owner + "/" + name);
    }

    /**
     * The event that reopens a child. A parent that has ended is left out, because it is not reopened and the viewer
     * does not know it.
     */
    private static SubagentEvent.Started under(SubagentEvent.Started child, Set<String> open) {
        String parent = child.parentSubagentRunId();
        return parent == null || open.contains(parent) ? child : child.withoutParent();
    }
}
