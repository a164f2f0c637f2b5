package dev.parley.runs.lifecycle;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens to runs, and to what they leave with their thread; written in the transaction of what they say. */
public sealed interface RunEffect extends Effect {
    /** A change of a run's own state: what comes behind it in its thread is judged by it. */
    sealed interface Turning extends RunEffect {
        @Override
        default boolean concludes() {
            return true;
        }
    }

    /**
     * A run that was not there before.
     *
     * @param position where the thread stood
     * @param seq of the message that was appended last
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
     * @param intention how it shall end, if it was taken over for that
     * @param position where the thread stood: after the run's last event, or before its first
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

        /** @param intention how it shall end; null if that is not known yet */
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

        /** Its state and its epoch are written as they are here. */
        @Override
        public boolean repeatable() {
            return true;
        }
    }

    /** The command's messages stand. Refused as outdated if a later run supersedes the run. */
    record RequireNotSuperseded(UUID task) implements RunEffect {}

    /** The command's messages are marked as superseded. Refused as outdated unless a later run supersedes the run. */
    record RequireSuperseded(UUID task) implements RunEffect {}

    /**
     * A run ends without an answer: what it superseded stands again. Refused as outdated unless the revisions that come
     * with it lift exactly that.
     *
     * @param targets the seqs that are lifted, ascending
     */
    record Lifted(UUID task, List<Long> targets) implements RunEffect {
        public Lifted {
            targets = List.copyOf(targets);
        }
    }

    /** A message joins those that a queued run will answer. */
    record Joined(UUID task, long seq) implements RunEffect {}

    /** An external driver has sent its events from one number up to another, which is the next one's. */
    record Fed(UUID task, long from, long next) implements RunEffect {
        @Override
        public boolean repeatable() {
            return true;
        }
    }

    /** A child of a run begins, under its root's wing. */
    record ChildOpened(UUID task, Run root, String runId) implements RunEffect {}

    record ChildEnded(
            UUID task,
            UUID root,
            RunState.Ending ending,
            @Nullable String errorCode,
            @Nullable String errorMessage) implements RunEffect {}

    /** The state that agents and clients share is another one. */
    record StateReplaced(ThreadId thread, String json) implements RunEffect {
        @Override
        public int weight() {
            return 200 + json.length();
        }
    }

    /** A run ended with questions. */
    record QuestionsAsked(ThreadId thread, UUID task, List<Interrupt> questions) implements RunEffect {
        public QuestionsAsked {
            questions = List.copyOf(questions);
        }
    }

    /** A run answers questions of earlier ones. */
    record QuestionsAnswered(ThreadId thread, UUID task, List<String> interrupts) implements RunEffect {
        public QuestionsAnswered {
            interrupts = List.copyOf(interrupts);
        }
    }

    /**
     * What was asked and left open behind a message that is answered anew waits for nobody any more: it counts as the new
     * run's. Questions are open again if that comes to nothing.
     *
     * @param position of the message
     */
    record Overtaken(ThreadId thread, UUID task, long position) implements RunEffect {}

    /** A run that was to answer questions came to nothing: they are open again. */
    record QuestionsReopened(UUID task) implements RunEffect {}

    /** A run left calls to its caller. */
    record CallsLeft(ThreadId thread, UUID task, Actor agent, List<OpenCall> calls) implements RunEffect {
        public CallsLeft {
            calls = List.copyOf(calls);
        }
    }

    /** A call that nobody has answered. */
    record OpenCall(String id, String tool) {}

    /** A run brought the results of calls that earlier ones had left. */
    record CallsAnswered(ThreadId thread, UUID task, List<String> calls) implements RunEffect {
        public CallsAnswered {
            calls = List.copyOf(calls);
        }
    }
}
