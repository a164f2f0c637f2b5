package dev.parley.runs.lifecycle;

import dev.parley.log.Change;
import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The birth of a run: the one place that says which changes a run begins with, and in which order. One that waits is
 * opened and announced at the end of its start. One that begins at once is announced first, and its first event stands
 * directly after the place where it was opened.
 *
 * @param request what its client sent; null if nobody asked for it by name
 * @param readsTo the user message up to which it reads, if it answers that one anew
 * @param answersLast whether it answers the message that was appended last before it
 */
public record RunBirth(
        RunIdentity run,
        @Nullable Request request,
        @Nullable Long readsTo,
        boolean answersLast) {
    /**
     * What a client sent.
     *
     * @param fingerprint by which the same request is known when it is repeated
     * @param input as JSON text
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

    /** A run that a message starts, in the transaction of that message. */
    public static List<Change> byMessage(Entry message, Actor agent, UUID task, String runId) {
        Actor author = message.content().author();
        return of(RunIdentity.of(task, message.thread(), runId, agent, author))
                .answeringLast(true)
                .queued(List.of());
    }

    /** A run that answers a message which is in the log already. */
    public static List<Change> byEarlierMessage(
            ThreadId thread, long seq, Actor author, Actor agent, UUID task, String runId) {
        return of(RunIdentity.of(task, thread, runId, agent, author))
                .queued(List.of(new Change.Apply(new RunEffect.Joined(task, seq))));
    }

    /** @param along what its start changes beside it */
    public List<Change> queued(List<Change> along) {
        List<Change> changes = new ArrayList<>();
        changes.add(opened(RunState.Queued.FIRST));
        changes.addAll(along);
        changes.add(announced(RunState.Queued.FIRST));
        return changes;
    }

    /**
     * @param started the run's first event, which has its time
     * @param along what its start changes beside it
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
     * A run that was opened earlier is taken up by a holder.
     *
     * @param started its first event; asked for unless the run has begun before
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
        return new Change.Apply(new RunEffect.Opened(this, state, 0, 0));
    }

    private Change announced(RunState state) {
        return RunUpdate.of(run.runId(), run.agent(), state);
    }

    private static Change first(RunIdentity run, RunEvent.Started started) {
        return new Change.Emit(run.taskId(), run.agent(), List.of(new RunLines(run.runId()).write(started, 0)));
    }
}
