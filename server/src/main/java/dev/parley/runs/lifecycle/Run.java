package dev.parley.runs.lifecycle;

import dev.parley.agents.RunName;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as it stands in its table.
 *
 * @param parent the run that its client named as its parent
 * @param root for a child: the run in whose sequence of events it lives
 * @param ending how it shall end, once somebody has begun to end it
 * @param triggers the messages that it answers
 * @param readsTo the user message up to which it reads, if it answers that one anew
 * @param createdPosition the thread's last position when it was made
 * @param firstPosition of its first event
 * @param nextEvent the number of the next event that an outside driver sends
 */
public record Run(
        UUID taskId,
        ThreadId thread,
        String runId,
        Actor agent,
        Actor startedBy,
        Driver driver,
        Origin origin,
        MultitaskStrategy strategy,
        @Nullable UUID parent,
        @Nullable UUID root,
        RunState state,
        @Nullable String ending,
        List<Long> triggers,
        @Nullable Long readsTo,
        long createdPosition,
        @Nullable Long firstPosition,
        @Nullable Long lastPosition,
        long nextEvent,
        @Nullable String outcome,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        int attempts) {
    public Run {
        triggers = List.copyOf(triggers);
    }

    /** Who executes a run. */
    public enum Driver {
        /** One of our nodes. */
        NODE,
        /** Its agent's own process. */
        EXTERNAL
    }

    /** Where a run comes from. */
    public enum Origin {
        /** Somebody asked for it, by a name of their own. */
        CLIENT,
        /** A message that its agent should answer. */
        MESSAGE
    }

    /** A place in a thread's list of runs, which goes by the position at which they were made. */
    public record Cursor(long createdPosition, UUID task) {
        public static final Cursor END = new Cursor(Long.MAX_VALUE, new UUID(-1, -1));
    }

    /** What log lines call the run. */
    public RunName name() {
        return new RunName(runId, taskId);
    }

    public boolean isOver() {
        return state instanceof RunState.Over;
    }

    /** Whether further messages may still become its to answer. */
    public boolean isJoinable() {
        return state instanceof RunState.Queued && origin == Origin.MESSAGE && firstPosition == null && isRoot();
    }

    /** Whether a new run of the agent that does not wait ends it. */
    public boolean isDisplacedBy(Actor other, MultitaskStrategy theirs) {
        return Intention.towardsActive(theirs) != null
                && agent.equals(other)
                && driver == Driver.NODE
                && state instanceof RunState.Running
                && isRoot()
                && ending == null;
    }

    /** Whether it is a run of its own, and not a part of another's. */
    public boolean isRoot() {
        return root == null;
    }
}
