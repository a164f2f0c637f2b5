package dev.parley.runs.execution;

import dev.parley.basics.Text;
import dev.parley.contexts.ReportedUsage;
import dev.parley.log.Change;
import dev.parley.log.Draft;
import dev.parley.log.EntryKind;
import dev.parley.log.OutdatedCommand;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.runs.guard.DeltaPieces;
import dev.parley.runs.guard.RunGuard;
import dev.parley.runs.guard.SharedState;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.runs.lifecycle.RunLines;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.runs.lifecycle.Supersession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The record of one run's output on its way into the log. The guard checks the events, the ledger turns them into
 * lines, and at the end of the run the ledger creates the run's messages. The ledger reads no clock and no database,
 * and only one thread at a time may use it.
 */
public final class RunLedger {
    /**
     * The maximum number of written characters per character of text. Events are longer than their text, but must not
     * be much longer.
     */
    private static final int WRITTEN_PER_SAID = 8;

    private static final Logger LOG = LoggerFactory.getLogger(RunLedger.class);

    /**
     * The number of attempts to append an end. A further attempt is needed only if another run was started or ended in
     * that moment.
     */
    private static final int MAX_ENDS = 20;

    private final Run run;
    private final RunGuard guard;
    private final RunLines lines;
    private final RunTimeline timeline = new RunTimeline();
    private final SharedState state;
    private final Supersession.View supersession;
    private final Function<String, List<Actor>> mentions;
    private final int maxOutput;
    private long written;

    private RunLedger(
            Run run,
            RunGuard guard,
            SharedState state,
            Supersession.View supersession,
            Function<String, List<Actor>> mentions,
            int maxOutput) {
        this.run = run;
        this.guard = guard;
        this.lines = new RunLines(run.runId());
        this.state = state;
        this.supersession = supersession;
        this.mentions = mentions;
        this.maxOutput = maxOutput;
    }

    /**
     * The ledger of a run that has these events in the log.
     *
     * @param supersession the view to ask if the run ends without an answer, or if its end was refused as outdated
     * @param mentions finds the participants of the thread that a text names
     * @param maxOutput the number of characters that the run may stream
     */
    static RunLedger restore(
            Run run,
            List<AguiEvent> logged,
            SharedState state,
            Supersession.View supersession,
            Function<String, List<Actor>> mentions,
            int maxOutput) {
        RunGuard guard = RunGuard.restore(run.thread().toString(), run.runId(), logged);
        RunLedger ledger = new RunLedger(run, guard, state, supersession, mentions, maxOutput);
        long millis = 0;
        for (AguiEvent event : logged) {
            Long stamp = event.common().timestamp();
            millis = stamp == null ? millis : stamp;
            ledger.note(event, millis);
        }
        ledger.written = guard.transcript().characters();
        return ledger;
    }

    public RunGuard guard() {
        return guard;
    }

    /** The thread's state with the run's changes; empty if the run has not changed the state. */
    public Optional<JsonNode> state() {
        return state.now();
    }

    /**
     * The events that enter the log for an event of the agent. If the run then exceeds its output limit, the last of
     * these events ends the run.
     */
    public List<AguiEvent> accept(AguiEvent event) {
        List<AguiEvent> entering = new ArrayList<>();
        if (event instanceof StateEvent && state.exceedsLimits(event)) {
            return guard.fail(
                    "The shared state exceeds its size limit, or was changed too often for its size.", "output_limit");
        }
        for (AguiEvent piece : DeltaPieces.of(event)) {
            entering.addAll(guard.accept(piece));
        }
        if (guard.transcript().characters() > maxOutput || written > (long) maxOutput * WRITTEN_PER_SAID) {
            entering.addAll(guard.fail("The run exceeded the limit of " + maxOutput + " characters.", "output_limit"));
        }
        return entering;
    }

    /** The events that enter the log when a caller other than its agent ends the run. */
    List<AguiEvent> end(Intention intention) {
        return intention.code() == null ? guard.cancel() : guard.fail(intention.message(), intention.code());
    }

    /** True if the log shows viewers more than the run's first event. */
    static boolean isVisible(List<AguiEvent> logged) {
        return logged.stream().anyMatch(event -> !(event instanceof RunEvent.Started));
    }

    /** Records events that the guard accepted, and returns them as the lines to write. */
    List<String> write(List<AguiEvent> entering, long millis) {
        List<String> all = new ArrayList<>(entering.size());
        for (AguiEvent event : entering) {
            note(event, millis);
            String line = lines.write(event, millis);
            written += line.length();
            all.add(line);
        }
        return all;
    }

    private void note(AguiEvent event, long millis) {
        timeline.note(event, millis);
        state.note(event);
    }

    /** The characters of all written events, for callers that limit them. */
    public long written() {
        return written;
    }

    /** The beginnings and ends of child runs among some events. */
    public List<Change> children(List<AguiEvent> entering) {
        List<Change> changes = new ArrayList<>();
        for (AguiEvent event : entering) {
            if (event instanceof SubagentEvent child) {
                UUID task = taskOf(child.subagentRunId());
                changes.add(new Change.Apply(
                        switch (child) {
                            case SubagentEvent.Started started ->
                                new RunEffect.ChildOpened(task, run, started.subagentRunId());
                            case SubagentEvent.Finished finished ->
                                new RunEffect.ChildEnded(task, run.taskId(), RunState.Ending.COMPLETED, null, null);
                            case SubagentEvent.Failed failed ->
                                new RunEffect.ChildEnded(
                                        task,
                                        run.taskId(),
                                        RunState.Ending.FAILED,
                                        null,
                                        Text.mended(failed.message()));
                        }));
            }
        }
        return changes;
    }

    /** The task id of a child: the child's own id if that is a UUID, otherwise an id derived from the run's task id. */
    private UUID taskOf(String subagentRunId) {
        return UuidV7.parseCanonical(subagentRunId)
                .orElseGet(() ->
                        UUID.nameUUIDFromBytes((run.taskId() + "/" + subagentRunId).getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * The end of the run in one command: its last events, its messages, its state, its terminal event.
     *
     * @param last the lines that are not written yet, with the terminal event's line at the end
     * @param again true if the log has already refused the end as outdated
     */
    public List<Change> ending(List<String> last, RunState.Unfinished from, boolean again) {
        RunEvent terminal = guard.transcript()
                .ending()
                .orElseThrow(() -> new IllegalStateException("Run " + run.taskId() + " is not over"));
        List<Change> changes = new ArrayList<>();
        if (last.size() > 1) {
            changes.add(new Change.Emit(run.taskId(), run.agent(), last.subList(0, last.size() - 1)));
        }
        if (!terminal.usage().isEmpty()) {
            changes.add(new Change.Apply(new ReportedUsage(
                    run.thread(),
                    run.taskId(),
                    run.agent(),
                    guard.transcript().latestMessage(null).orElse(null),
                    terminal.usage())));
        }
        boolean superseded = again && supersession.isSuperseded();
        List<Draft> messages = superseded
                ? RunMessages.superseded(run, guard.transcript(), timeline)
                : RunMessages.of(run, guard.transcript(), timeline, mentions);
        if (!messages.isEmpty()) {
            changes.add(new Change.Apply(
                    superseded
                            ? new RunEffect.RequireSuperseded(run.taskId())
                            : new RunEffect.RequireNotSuperseded(run.taskId())));
        } else if (ending(terminal) != RunState.Ending.COMPLETED) {
            changes.addAll(lifts());
        }
        messages.forEach(message -> changes.add(new Change.Append(message)));
        changes.add(new Change.Emit(run.taskId(), run.agent(), List.of(last.getLast())));
        changes.addAll(moves(terminal, from));
        return changes;
    }

    /**
     * Lifts the run's supersession of earlier messages: these messages count again, because the run leaves no answer in
     * their place.
     */
    private List<Change> lifts() {
        if (run.readsTo() == null) {
            return List.of();
        }
        List<Long> targets = supersession.liftable();
        List<Change> changes = new ArrayList<>();
        if (!targets.isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.Lifted(run.thread(), run.taskId(), targets)));
        }
        targets.forEach(target ->
                changes.add(new Change.Append(RunEntries.revision(EntryKind.SUPERSESSION, target, run.agent()))));
        return changes;
    }

    /** Appends the end of a run, and builds it again if other runs of the thread have outdated it meanwhile. */
    public static <T> T appendEnd(Function<Boolean, List<Change>> end, Function<List<Change>, T> append) {
        for (int i = 0; i < MAX_ENDS; i++) {
            try {
                return append.apply(end.apply(i > 0));
            } catch (OutdatedCommand outdated) {
                LOG.debug("The end of a run is outdated; building it again: {}", outdated.getMessage());
            }
        }
        throw new ProblemException(Problem.OVERLOADED, "The run's question is answered anew too often; try again.");
    }

    /** The end of a run that is rolled back: both its messages and the messages that it answers are withdrawn. */
    List<Change> rollback(List<String> last, RunState.Unfinished from) {
        RunEvent terminal = guard.transcript().ending().orElseThrow();
        List<Change> changes = new ArrayList<>();
        for (long trigger : run.triggers()) {
            if (run.readsTo() != null && run.readsTo() == trigger) {
                // This message precedes the run and was answered before.
                continue;
            }
            changes.add(new Change.Append(RunEntries.revision(EntryKind.WITHDRAWAL, trigger, run.agent())));
        }
        if (last.size() > 1) {
            changes.add(new Change.Emit(run.taskId(), run.agent(), last.subList(0, last.size() - 1)));
        }
        changes.addAll(lifts());
        for (Draft message : RunMessages.withdrawn(run, guard.transcript(), timeline)) {
            changes.add(new Change.Append(message));
        }
        changes.add(new Change.Emit(run.taskId(), run.agent(), List.of(last.getLast())));
        changes.addAll(over(terminal, from));
        return changes;
    }

    /** The changes that store the questions, calls and shared state that the run leaves, and that end the run. */
    private List<Change> moves(RunEvent terminal, RunState.Unfinished from) {
        List<Change> changes = new ArrayList<>();
        Outcome outcome = outcome(terminal);
        if (outcome instanceof Outcome.Interrupted interrupted) {
            changes.add(new Change.Apply(
                    new RunEffect.QuestionsAsked(run.thread(), run.taskId(), interrupted.interrupts())));
        }
        List<RunEffect.OpenCall> calls = ending(terminal) == RunState.Ending.COMPLETED ? leftCalls(outcome) : List.of();
        if (!calls.isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.CallsLeft(run.thread(), run.taskId(), run.agent(), calls)));
        }
        state.changed()
                .ifPresent(json -> changes.add(new Change.Apply(new RunEffect.StateReplaced(run.thread(), json))));
        changes.addAll(over(terminal, from));
        return changes;
    }

    /** The calls that the run's client has to answer. Calls about which the run asks a question are left out. */
    private List<RunEffect.OpenCall> leftCalls(@Nullable Outcome outcome) {
        Set<String> questioned = outcome instanceof Outcome.Interrupted interrupted
                ? interrupted.interrupts().stream()
                        .filter(interrupt -> interrupt.toolCallId() != null)
                        .map(interrupt -> String.valueOf(interrupt.toolCallId()))
                        .collect(Collectors.toSet())
                : Set.of();
        return openCalls().stream()
                .filter(call -> !questioned.contains(call.id()))
                .toList();
    }

    private List<Change> over(RunEvent terminal, RunState.Unfinished from) {
        RunState.Over over = from.end(ending(terminal));
        return List.of(new Change.Apply(RunEffect.Moved.toEnd(run, over, result(terminal))), RunUpdate.of(run, over));
    }

    private static Run.Result result(RunEvent terminal) {
        return switch (terminal) {
            case RunEvent.Failed failed ->
                new Run.Result(
                        null, failed.code() == null ? null : Text.mended(failed.code()), Text.mended(failed.message()));
            case RunEvent.Finished finished
            when finished.outcome() != null ->
                new Run.Result(Json.MAPPER.writeValueAsString(finished.outcome()), null, null);
            case RunEvent.Finished _, RunEvent.Started _ -> Run.Result.NONE;
        };
    }

    private static @Nullable Outcome outcome(RunEvent terminal) {
        return terminal instanceof RunEvent.Finished finished ? finished.outcome() : null;
    }

    private static RunState.Ending ending(RunEvent terminal) {
        if (terminal instanceof RunEvent.Failed) {
            return RunState.Ending.FAILED;
        }
        return outcome(terminal) instanceof Outcome.Cancelled ? RunState.Ending.CANCELLED : RunState.Ending.COMPLETED;
    }

    /** The calls without a result, which the run's client has to answer. */
    List<RunEffect.OpenCall> openCalls() {
        Set<String> answered = guard.transcript().items().stream()
                .filter(Transcript.Result.class::isInstance)
                .map(item -> ((Transcript.Result) item).toolCallId())
                .collect(Collectors.toSet());
        return guard.transcript().items().stream()
                .filter(Transcript.Call.class::isInstance)
                .map(Transcript.Call.class::cast)
                .filter(call -> !answered.contains(call.id()))
                .map(call -> new RunEffect.OpenCall(call.id(), Text.mended(call.name())))
                .toList();
    }
}
