package dev.parley.runs.lifecycle;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of a run, or of the state, questions and calls it leaves to its thread. It is written in the transaction of
 * the events it belongs to.
 */
public sealed interface RunEffect extends Effect {
    /** A change of a run's own state. Later commands of its thread are judged by it. */
    sealed interface Turning extends RunEffect {
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
     */
    record Opened(RunBirth birth, RunState.Unfinished state, long position, long seq) implements Turning {
        public RunIdentity run() {
            return birth.run();
        }

        @Override
        public int weight() {
            RunBirth.Request request = birth.request();
            return 500 + (request == null ? 0 : request.input().length());
        }

        @Override
        public Opened at(Head head) {
            return new Opened(birth, state, head.lastPosition(), head.lastSeq());
        }
    }

    /**
     * A run moves to another state.
     *
     * @param intention the intention of a takeover that ends the run
     * @param position the thread's last position: that of the run's last event, or the one before its first
     */
    record Moved(
            UUID task,
            ThreadId thread,
            RunState to,
            @Nullable String intention,
            Run.Result result,
            long position) implements Turning {
        public static Moved to(Run run, RunState state) {
            return new Moved(run.taskId(), run.thread(), state, null, Run.Result.NONE, 0);
        }

        /** @param intention the reason for the takeover; null if it is not known yet */
        public static Moved toHolder(Run run, RunState.Running state, @Nullable Intention intention) {
            String wire = intention == null ? null : intention.wire();
            return new Moved(run.taskId(), run.thread(), state, wire, Run.Result.NONE, 0);
        }

        public static Moved toEnd(Run run, RunState.Over state, Run.Result result) {
            return new Moved(run.taskId(), run.thread(), state, null, result, 0);
        }

        @Override
        public Moved at(Head head) {
            return new Moved(task, thread, to, intention, result, head.lastPosition());
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
     * Requires that a later run supersedes the run, whose messages are marked so; otherwise the command is refused as
     * outdated.
     */
    record RequireSuperseded(UUID task) implements RunEffect {}

    /**
     * A run ends without an answer, so the answers that it superseded stand again. Refused as outdated unless the
     * command's revisions lift exactly these.
     *
     * @param targets the seqs that are lifted, ascending
     */
    record Lifted(UUID task, List<Long> targets) implements RunEffect {
        public Lifted {
            targets = List.copyOf(targets);
        }
    }

    /** Adds a message to those that a queued run answers. */
    record Joined(UUID task, long seq) implements RunEffect {}

    /** An external driver has sent its events from one number up to, but not including, another. */
    record Fed(UUID task, long from, long next) implements RunEffect {
        @Override
        public boolean repeatable() {
            return true;
        }
    }

    /** A child of a run begins. It lives in the events of its root. */
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
     * A run answers a message anew: the questions and calls left open after that message count as this run's. The
     * questions are open again if the run comes to nothing.
     *
     * @param position of the message
     */
    record Overtaken(ThreadId thread, UUID task, long position) implements RunEffect {}

    /** A run that was to answer questions came to nothing: the questions are open again. */
    record QuestionsReopened(UUID task) implements RunEffect {}

    /** A run leaves calls to its client. */
    record CallsLeft(ThreadId thread, UUID task, Actor agent, List<OpenCall> calls) implements RunEffect {
        public CallsLeft {
            calls = List.copyOf(calls);
        }
    }

    /** A call without a result. */
    record OpenCall(String id, String tool) {}

    /** A run brings the results of calls that earlier runs left. */
    record CallsAnswered(ThreadId thread, UUID task, List<String> calls) implements RunEffect {
        public CallsAnswered {
            calls = List.copyOf(calls);
        }
    }
}
