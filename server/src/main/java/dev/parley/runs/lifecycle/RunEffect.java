package dev.parley.runs.lifecycle;

import dev.parley.log.Change;
import dev.parley.log.Digest;
import dev.parley.log.Effect;
import dev.parley.log.Entry;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Outcome;
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
     * @param input what its client sent, as JSON text
     * @param parent by its own id
     * @param position where the thread stood
     */
    record Opened(
            UUID task,
            ThreadId thread,
            String runId,
            Actor agent,
            Actor startedBy,
            Run.Driver driver,
            Run.Origin origin,
            MultitaskStrategy strategy,
            @Nullable UUID parent,
            @Nullable UUID root,
            RunState.Unfinished state,
            @Nullable Digest fingerprint,
            @Nullable String input,
            @Nullable Long readsTo,
            boolean answersLast,
            long position,
            long seq)
            implements Turning {
        @Override
        public int weight() {
            return 500 + (input == null ? 0 : input.length());
        }

        @Override
        public Opened at(Head head) {
            return new Opened(
                    task,
                    thread,
                    runId,
                    agent,
                    startedBy,
                    driver,
                    origin,
                    strategy,
                    parent,
                    root,
                    state,
                    fingerprint,
                    input,
                    readsTo,
                    answersLast,
                    head.lastPosition(),
                    head.lastSeq());
        }
    }

    /**
     * A run moves to another state.
     *
     * @param intention how it shall end, if it was taken over for that
     * @param position where the thread stood: behind the run's last event, or before its first
     */
    record Moved(
            UUID task,
            ThreadId thread,
            RunState to,
            @Nullable String intention,
            @Nullable Outcome outcome,
            @Nullable String errorCode,
            @Nullable String errorMessage,
            long position)
            implements Turning {
        public static Moved to(Run run, RunState state) {
            return new Moved(run.taskId(), run.thread(), state, null, null, null, null, 0);
        }

        @Override
        public Moved at(Head head) {
            return new Moved(task, thread, to, intention, outcome, errorCode, errorMessage, head.lastPosition());
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

    /** An outside driver has sent its events from one number up to another, which is the next one's. */
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

    /** A run that a message starts, with the word about it. */
    static List<Change> startedBy(Entry message, Actor agent, UUID task, String runId) {
        return List.of(
                new Change.Apply(ofMessage(message.thread(), message.content().author(), agent, task, runId, true)),
                RunUpdate.of(runId, agent, RunState.Queued.FIRST));
    }

    /** A run that answers a message which is in the log already, with the word about it. */
    static List<Change> startedLater(ThreadId thread, long seq, Actor author, Actor agent, UUID task, String runId) {
        return List.of(
                new Change.Apply(ofMessage(thread, author, agent, task, runId, false)),
                new Change.Apply(new Joined(task, seq)),
                RunUpdate.of(runId, agent, RunState.Queued.FIRST));
    }

    private static Opened ofMessage(
            ThreadId thread, Actor author, Actor agent, UUID task, String runId, boolean answersLast) {
        return new Opened(
                task,
                thread,
                runId,
                agent,
                author,
                Run.Driver.NODE,
                Run.Origin.MESSAGE,
                MultitaskStrategy.ENQUEUE,
                null,
                null,
                RunState.Queued.FIRST,
                null,
                null,
                null,
                answersLast,
                0,
                0);
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
