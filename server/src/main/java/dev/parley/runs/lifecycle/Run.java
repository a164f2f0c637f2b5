package dev.parley.runs.lifecycle;

import dev.parley.agents.RunName;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as it stands in its table.
 *
 * @param attempts how often it was begun
 * @param ending how it shall end, once somebody has begun to end it
 * @param triggers the messages that it answers
 * @param readsTo the user message up to which it reads, if it answers that one anew
 * @param nextEvent the number of the next event that an external driver sends
 */
public record Run(
        RunIdentity identity,
        RunState state,
        int attempts,
        @Nullable String ending,
        List<Long> triggers,
        @Nullable Long readsTo,
        Positions positions,
        long nextEvent,
        Result result,
        Times times) {
    public Run {
        triggers = List.copyOf(triggers);
    }

    /**
     * Where a run stands in its thread's log.
     *
     * @param created the thread's last position when it was opened
     * @param first of its first event
     * @param last of its terminal event
     */
    public record Positions(
            long created, @Nullable Long first, @Nullable Long last) {}

    /**
     * What a run has come to; all null until it is over.
     *
     * @param outcome as JSON text
     */
    public record Result(
            @Nullable String outcome,
            @Nullable String errorCode,
            @Nullable String errorMessage) {
        public static final Result NONE = new Result(null, null, null);
    }

    public record Times(
            Instant created,
            @Nullable Instant started,
            @Nullable Instant ended) {}

    public UUID taskId() {
        return identity.taskId();
    }

    public ThreadId thread() {
        return identity.thread();
    }

    public String runId() {
        return identity.runId();
    }

    public Actor agent() {
        return identity.agent();
    }

    public Actor startedBy() {
        return identity.startedBy();
    }

    public Driver driver() {
        return identity.driver();
    }

    public @Nullable UUID root() {
        return identity.root();
    }

    /** Who executes a run. */
    public enum Driver {
        /** One of our nodes. */
        NODE("node"),
        /** Its agent's own process. */
        EXTERNAL("outside");

        private final String stored;

        Driver(String stored) {
            this.stored = stored;
        }

        /** The name in SQL, which is older than the one here. */
        String stored() {
            return stored;
        }

        static Driver ofStored(String name) {
            return Arrays.stream(values())
                    .filter(driver -> driver.stored.equals(name))
                    .findFirst()
                    .orElseThrow();
        }
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
        return new RunName(runId(), taskId());
    }

    public boolean isOver() {
        return state instanceof RunState.Over;
    }

    /** Whether further messages may still become its to answer. */
    public boolean isJoinable() {
        return state instanceof RunState.Queued
                && identity.origin() == Origin.MESSAGE
                && positions.first() == null
                && isRoot();
    }

    /** Whether a new run of the agent that does not wait ends it. */
    public boolean isDisplacedBy(Actor other, MultitaskStrategy theirs) {
        return Intention.towardsActive(theirs) != null
                && agent().equals(other)
                && driver() == Driver.NODE
                && state instanceof RunState.Running
                && isRoot()
                && ending == null;
    }

    /** Whether it is a run of its own, and not a part of another's. */
    public boolean isRoot() {
        return root() == null;
    }
}
