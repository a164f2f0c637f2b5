package dev.parley.runs.lifecycle;

import dev.parley.log.Change;
import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.RunEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes with which a run begins, and their order. A queued run is opened, and is announced at the end of its
 * start. A run that begins at once is announced first and then opened. Its first event has the position directly after
 * the position at which the run was opened.
 *
 * @param request the client's request; null for a run that a message starts
 * @param readsTo the seq of the user message that the run answers anew; the run reads no later message
 * @param answersLast true if the run answers the last message that was appended before the run
 */
public record RunBirth(
        RunIdentity run,
        @Nullable Request request,
        @Nullable Long readsTo,
        boolean answersLast) {
    /**
     * A client's request.
     *
     * @param fingerprint the hash that recognises a repetition of the request
     * @param input the input as JSON text
     */
    public record Request(Digest fingerprint, String input) {}

    public static RunBirth of(RunIdentity run) {
        return new RunBirth(run, null, null, false);
    }

    public RunBirth asked(Request by) {
        return new RunBirth(run, by, readsTo, answersLast);
    }

    public RunBirth answeringAnew(@Nullable Long seq) {
        return new RunBirth(run, request, seq, answersLast);
    }

    public RunBirth answeringLast(boolean does) {
        return new RunBirth(run, request, readsTo, does);
    }

    /** The changes of a run that a message starts, in the transaction of that message. */
    public static List<Change> byMessage(Entry message, Actor agent, UUID task, String runId) {
        Actor author = message.content().author();
        return of(RunIdentity.of(task, message.thread(), runId, agent, author))
                .answeringLast(true)
                .queued(List.of());
    }

    /** The changes of a run that answers a message of the log. */
    public static List<Change> byEarlierMessage(
            ThreadId thread, long seq, Actor author, Actor agent, UUID task, String runId) {
        return of(RunIdentity.of(task, thread, runId, agent, author))
                .queued(List.of(new Change.Apply(new RunEffect.Joined(thread, task, seq))));
    }

    /**
     * The changes of a run that waits for its turn.
     *
     * @param along the further changes of the run's start
     */
    public List<Change> queued(List<Change> along) {
        List<Change> changes = new ArrayList<>();
        changes.add(opened(RunState.Queued.FIRST));
        changes.addAll(along);
        changes.add(announced(RunState.Queued.FIRST));
        return changes;
    }

    /**
     * The changes of a run that begins at once.
     *
     * @param started the run's first event, with its time
     * @param along the further changes of the run's start
     */
    public List<Change> running(RunState.Running state, RunEvent.Started started, List<Change> along) {
        List<Change> changes = new ArrayList<>();
        changes.add(announced(state));
        changes.add(opened(state));
        changes.add(first(run, started));
        changes.addAll(along);
        return changes;
    }

    /**
     * The changes with which a holder claims or resumes an earlier run.
     *
     * @param started the supplier of the first event, for a run without events in the log
     */
    public static List<Change> takenUp(Run run, RunState.Running state, Supplier<RunEvent.Started> started) {
        List<Change> changes = new ArrayList<>();
        changes.add(RunUpdate.of(run, state));
        changes.add(new Change.Apply(RunEffect.Moved.to(run, state)));
        if (run.positions().first() == null) {
            changes.add(first(run.identity(), started.get()));
        }
        return changes;
    }

    private Change opened(RunState.Unfinished state) {
        return new Change.Apply(new RunEffect.Opened(this, state, 0, 0, Instant.EPOCH));
    }

    private Change announced(RunState state) {
        return RunUpdate.of(run.runId(), run.agent(), state);
    }

    private static Change first(RunIdentity run, RunEvent.Started started) {
        return new Change.Emit(run.taskId(), run.agent(), List.of(new RunLines(run.runId()).write(started, 0)));
    }
}
