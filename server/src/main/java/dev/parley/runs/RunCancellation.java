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

/** Cancels runs for callers, as far as they are theirs to cancel. */
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

    /** What became of a wish to cancel. */
    public enum Cancelled {
        ACCEPTED,
        FINISHED,
        UNKNOWN
    }

    /** Cancels a run; when this returns, nothing of it follows any more. */
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
     * Cancels the run of a name. A client that has come back may not know under which name its run was started: then it
     * means what goes on, of the agent if it names one.
     *
     * @return whether a run was stopped
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
     * Cancels all runs of the caller that go on or wait in a thread; refused if all of them are others'.
     *
     * @return the names of the runs that this has ended
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

    /** Cancels a run whose client is gone, and wanted it to end with its connection. */
    public void abandon(Run run) {
        end(run.taskId());
    }

    private boolean end(UUID task) {
        return termination.end(task, Intention.CANCEL);
    }
}
