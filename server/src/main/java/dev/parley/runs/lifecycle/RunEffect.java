package dev.parley.runs.lifecycle;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change to a run, or to the state, questions and calls that a run leaves to its thread. The change is written in the
 * same transaction as the events to which it belongs.
 */
public sealed interface RunEffect extends Effect {
    /** A change of the row of an unfinished run, which {@link RunMemory} repeats for the runs that it holds. */
    sealed interface RowEffect extends RunEffect {
        ThreadId thread();
    }

    /** A change of a run's own state. Later commands of the run's thread are judged by the new state. */
    sealed interface Turning extends RowEffect {
        @Override
        default boolean concludes() {
            return true;
        }
    }

    /**
     * A new run.
     *
     * @param position the thread's last position before the run
     * @param seq the seq of the message that was appended last
     * @param time the time at which the run is opened
     */
    record Opened(RunBirth birth, RunState.Unfinished state, long position, long seq, Instant time) implements Turning {
        public RunIdentity run() {
            return birth.run();
        }

        @Override
        public ThreadId thread() {
            return run().thread();
        }

        /** The message that the run answers; null for none. */
        @Nullable
        Long trigger() {
            return birth.answersLast() ? Long.valueOf(seq) : birth.readsTo();
        }

        /** The run as it is stored after this effect. */
        public Run toRun() {
            Long trigger = trigger();
            boolean runs = state instanceof RunState.Running;
            return new Run(
                    run(),
                    state,
                    state.attempts(),
                    null,
                    trigger == null ? List.of() : List.of(trigger),
                    birth.readsTo(),
                    new Run.Positions(position, runs ? Long.valueOf(position + 1) : null, null),
                    0,
                    Run.Result.NONE,
                    new Run.Times(time, runs ? time : null, null));
        }

        @Override
        public int weight() {
            RunBirth.Request request = birth.request();
            return 500 + (request == null ? 0 : request.input().length());
        }

        @Override
        public Opened at(Head head, Instant now) {
            return new Opened(birth, state, head.lastPosition(), head.lastSeq(), now);
        }
    }

    /**
     * A run moves to another state.
     *
     * @param intention the intention of a takeover that ends the run; null for other moves
     * @param silent true if the log contains no event for the move; other nodes then notice the move only by the
     *     head's number of facts
     * @param position the thread's last position: the position of the run's last event, or the position before its
     *     first event
     */
    record Moved(
            UUID task,
            ThreadId thread,
            RunState to,
            @Nullable String intention,
            Run.Result result,
            boolean silent,
            long position)
            implements Turning {
        public static Moved to(Run run, RunState state) {
            return new Moved(run.taskId(), run.thread(), state, null, Run.Result.NONE, false, 0);
        }

        /** @param intention the reason for the takeover; null if it is not known yet */
        public static Moved toHolder(Run run, RunState.Running state, @Nullable Intention intention) {
            String wire = intention == null ? null : intention.wire();
            return new Moved(run.taskId(), run.thread(), state, wire, Run.Result.NONE, true, 0);
        }

        public static Moved toEnd(Run run, RunState.Over state, Run.Result result) {
            return new Moved(run.taskId(), run.thread(), state, null, result, false, 0);
        }

        @Override
        public Moved at(Head head, Instant time) {
            return new Moved(task, thread, to, intention, result, silent, head.lastPosition());
        }

        @Override
        public boolean changesFacts() {
            return silent;
        }

        /** The state and the epoch are written as given here, so a second write changes nothing. */
        @Override
        public boolean repeatable() {
            return true;
        }
    }

    /** Requires that no later run supersedes the run; otherwise the command is refused as outdated. */
    record RequireNotSuperseded(UUID task) implements RunEffect {}

    /**
     * Requires that a later run supersedes this run; otherwise the command is refused as outdated. The command marks
     * the run's messages as superseded.
     */
    record RequireSuperseded(UUID task) implements RunEffect {}

    /**
     * A run ends without an answer, so the answers that the run superseded count again. The command's revisions lift
     * the supersession of these answers. The command is refused as outdated unless its revisions have exactly these
     * targets.
     *
     * @param targets the seqs of the lifted supersession and of the messages that count again, ascending
     */
    record Lifted(ThreadId thread, UUID task, List<Long> targets) implements RowEffect {
        public Lifted {
            targets = List.copyOf(targets);
        }
    }

    /** Adds a message to the messages that a queued run answers. */
    record Joined(ThreadId thread, UUID task, long seq) implements RowEffect {}

    /**
     * An external driver has sent its events from one number up to, but not including, another.
     *
     * @param from the number of the first event
     * @param next the number after the last event
     * @param silent true if the log contains no event for the post; other nodes then notice the post only by the
     *     head's number of facts
     */
    record Fed(ThreadId thread, UUID task, long from, long next, boolean silent) implements RowEffect {
        @Override
        public boolean changesFacts() {
            return silent;
        }

        @Override
        public boolean repeatable() {
            return true;
        }
    }

    /** A child of a run begins. The child's events are part of the events of its root. */
    record ChildOpened(UUID task, Run root, String runId) implements RunEffect {}

    record ChildEnded(
            UUID task,
            UUID root,
            RunState.Ending ending,
            @Nullable String errorCode,
            @Nullable String errorMessage) implements RunEffect {}

    /** Replaces the state that agents and clients share. */
    record StateReplaced(ThreadId thread, String json) implements RunEffect {
        @Override
        public int weight() {
            return 200 + json.length();
        }
    }

    /** A run ends with questions. */
    record QuestionsAsked(ThreadId thread, UUID task, List<Interrupt> questions) implements RunEffect {
        public QuestionsAsked {
            questions = List.copyOf(questions);
        }
    }

    /** A run answers questions of earlier runs. */
    record QuestionsAnswered(ThreadId thread, UUID task, List<String> interrupts) implements RunEffect {
        public QuestionsAnswered {
            interrupts = List.copyOf(interrupts);
        }
    }

    /**
     * A run answers a message anew. The questions and calls that were left open after that message now belong to this
     * run. If the run ends while it is queued, or is rolled back, {@link QuestionsReopened} opens the questions again.
     *
     * @param position the position of the message
     */
    record Overtaken(ThreadId thread, UUID task, long position) implements RunEffect {}

    /**
     * A run that was to answer questions ended while it was queued, or was rolled back. The questions are open again.
     */
    record QuestionsReopened(UUID task) implements RunEffect {}

    /** A run leaves calls to its client, which has to send the results. */
    record CallsLeft(ThreadId thread, UUID task, Actor agent, List<OpenCall> calls) implements RunEffect {
        public CallsLeft {
            calls = List.copyOf(calls);
        }
    }

    /** A call without a result. */
    record OpenCall(String id, String tool) {}

    /** The input of a run contains the results of calls that earlier runs left. */
    record CallsAnswered(ThreadId thread, UUID task, List<String> calls) implements RunEffect {
        public CallsAnswered {
            calls = List.copyOf(calls);
        }
    }
}
