package dev.parley.runs;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.execution.RunTermination;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunOwners;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadRoster;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Cancels runs for callers who may cancel them. */
public final class RunCancellation {
    private final RunStore store;
    private final ThreadAccess access;
    private final RunRights rights;
    private final RunTermination termination;

    RunCancellation(RunStore store, ThreadAccess access, RunRights rights, RunTermination termination) {
        this.store = store;
        this.access = access;
        this.rights = rights;
        this.termination = termination;
    }

    /** The results of a cancellation. */
    public enum Cancelled {
        ACCEPTED,
        FINISHED,
        UNKNOWN
    }

    /** Cancels a run; when this returns, no further event of it follows. */
    public Cancelled cancel(Principal caller, ThreadId thread, String id) {
        ThreadRoster roster = access.requireAllowed(caller, thread, Capability.CAN_RUN);
        Optional<Run> run = store.find(thread, id);
        if (run.isEmpty()) {
            return Cancelled.UNKNOWN;
        }
        rights.require(caller, roster, run.get());
        // A child lives and ends with its root.
        UUID task = Objects.requireNonNullElse(run.get().root(), run.get().taskId());
        return end(task) ? Cancelled.ACCEPTED : Cancelled.FINISHED;
    }

    /**
     * Cancels the run with this id. If there is no such run, cancels the unfinished run of the agent, or of the thread
     * if no agent is named, because a client that reconnects may not know the id of its run.
     *
     * @return true if a run was stopped
     */
    public boolean stop(Principal caller, ThreadId thread, @Nullable Actor agent, @Nullable String runId) {
        Cancelled named = runId == null ? Cancelled.UNKNOWN : cancel(caller, thread, runId);
        if (named != Cancelled.UNKNOWN) {
            return named == Cancelled.ACCEPTED;
        }
        ThreadRoster roster = access.requireAllowed(caller, thread, Capability.CAN_RUN);
        Optional<Run> unfinished = store.unfinished(thread, agent)
                .filter(run -> agent == null || run.agent().equals(agent));
        unfinished.ifPresent(run -> rights.require(caller, roster, run));
        return unfinished.filter(run -> end(run.taskId())).isPresent();
    }

    /**
     * Cancels all of the caller's unfinished runs in a thread; refused if there are only other participants' runs.
     *
     * @return the runIds of the runs that this call has ended
     */
    public List<String> stopAll(Principal caller, ThreadId thread) {
        ThreadRoster roster = access.requireAllowed(caller, thread, Capability.CAN_RUN);
        List<Run> unfinished = store.unfinished(thread);
        List<Run> own = rights.allowed(caller, roster, unfinished);
        if (own.isEmpty() && !unfinished.isEmpty()) {
            throw RunOwners.foreign(unfinished.getFirst().runId()).toException();
        }
        return own.stream().filter(run -> end(run.taskId())).map(Run::runId).toList();
    }

    /** Cancels a run whose client is disconnected and wanted it to end with its connection. */
    public void abandon(Run run) {
        end(run.taskId());
    }

    private boolean end(UUID task) {
        return termination.end(task, Intention.CANCEL);
    }
}
