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
 * A run as stored in its table.
 *
 * @param attempts the number of claims of the run
 * @param ending the intention with which a caller has begun to end the run
 * @param triggers the seqs of the messages that the run answers
 * @param readsTo the seq of the user message that the run answers anew, which is the last message that the run reads
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
     * The positions of a run in its thread's log.
     *
     * @param created the thread's last position when the run was opened
     * @param first the position of the run's first event
     * @param last the position of its terminal event
     */
    public record Positions(
            long created, @Nullable Long first, @Nullable Long last) {}

    /**
     * The result of a run; all fields are null until the run is over.
     *
     * @param outcome the outcome as JSON text
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

    /** The executor of a run. */
    public enum Driver {
        /** A node of this server. */
        NODE("node"),
        /** The agent's own process. */
        EXTERNAL("outside");

        private final String stored;

        Driver(String stored) {
            this.stored = stored;
        }

        /** The name in SQL, which is older than the constant's name. */
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

    /** The origin of a run. */
    public enum Origin {
        /** A client's request with a runId of its own. */
        CLIENT,
        /** A message that the run's agent should answer. */
        MESSAGE
    }

    /** A position in a thread's list of runs, which is ordered by the runs' created positions. */
    public record Cursor(long createdPosition, UUID task) {
        public static final Cursor END = new Cursor(Long.MAX_VALUE, new UUID(-1, -1));
    }

    /** The run's name in log lines. */
    public RunName name() {
        return new RunName(runId(), taskId());
    }

    public boolean isOver() {
        return state instanceof RunState.Over;
    }

    /** True if further messages may still be added to the messages that the run answers. */
    public boolean isJoinable() {
        return state instanceof RunState.Queued
                && identity.origin() == Origin.MESSAGE
                && positions.first() == null
                && isRoot();
    }

    /** True if a new run of this agent with this strategy ends the run instead of waiting for it. */
    public boolean isDisplacedBy(Actor other, MultitaskStrategy theirs) {
        return Intention.towardsActive(theirs) != null
                && agent().equals(other)
                && driver() == Driver.NODE
                && state instanceof RunState.Running
                && isRoot()
                && ending == null;
    }

    /** True unless the run is the child of another run. */
    public boolean isRoot() {
        return root() == null;
    }
}
