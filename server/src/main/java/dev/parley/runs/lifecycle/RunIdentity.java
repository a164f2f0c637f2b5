package dev.parley.runs.lifecycle;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which run it is, and how it came to be; nothing of it ever changes.
 *
 * @param runId the name that its client or the server gave it
 * @param parent the run that its client named as its parent
 * @param root for a child: the run in whose sequence of events it lives
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
    /** A run that a message starts on one of our nodes; the other methods tell how another one differs from it. */
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

    /** The same run, asked for by its client. */
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
