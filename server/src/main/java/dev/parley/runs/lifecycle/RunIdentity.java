package dev.parley.runs.lifecycle;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity and origin of a run. It never changes.
 *
 * @param runId the name that the client or the server gave to the run
 * @param parent the run that the client named as the parent
 * @param root the run whose sequence of events contains the child's events; null if the run is not a child
 */
public record RunIdentity(
        UUID taskId,
        ThreadId thread,
        String runId,
        Actor agent,
        Actor startedBy,
        Run.Driver driver,
        Run.Origin origin,
        MultitaskStrategy strategy,
        @Nullable UUID parent,
        @Nullable UUID root) {
    /** The identity of a run that a message starts on a node. The other methods change one property each. */
    public static RunIdentity of(UUID taskId, ThreadId thread, String runId, Actor agent, Actor startedBy) {
        return new RunIdentity(
                taskId,
                thread,
                runId,
                agent,
                startedBy,
                Run.Driver.NODE,
                Run.Origin.MESSAGE,
                MultitaskStrategy.ENQUEUE,
                null,
                null);
    }

    /** The same run, requested by its client. */
    public RunIdentity askedFor(MultitaskStrategy how) {
        return new RunIdentity(taskId, thread, runId, agent, startedBy, driver, Run.Origin.CLIENT, how, parent, root);
    }

    public RunIdentity drivenBy(Run.Driver other) {
        return new RunIdentity(taskId, thread, runId, agent, startedBy, other, origin, strategy, parent, root);
    }

    public RunIdentity under(@Nullable UUID other) {
        return new RunIdentity(taskId, thread, runId, agent, startedBy, driver, origin, strategy, other, root);
    }
}
