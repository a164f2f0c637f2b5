package dev.parley.runs;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunOwners;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadRoster;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Applies {@link RunOwners} to callers. The scopes of the credential limit the rights of the member. */
public final class RunRights {
    private final Database database;

    RunRights(Database database) {
        this.database = database;
    }

    /** True if a caller manages the thread of a run. */
    public static boolean isManager(Principal caller, ThreadRoster thread) {
        return caller.scopes().contains(Capability.CAN_MANAGE_PARTICIPANTS)
                && thread.allows(caller.actor(), Capability.CAN_MANAGE_PARTICIPANTS);
    }

    /** The runs among {@code runs} that the caller may cancel. */
    List<Run> allowed(Principal caller, ThreadRoster thread, List<Run> runs) {
        if (isManager(caller, thread)) {
            return runs;
        }
        Map<RunOwners.Name, RunOwners> owners =
                owners(runs.stream().map(RunOwners.Name::of).toList());
        return runs.stream()
                .filter(run -> {
                    RunOwners runOwners = owners.get(RunOwners.Name.of(run));
                    return runOwners != null && runOwners.allow(caller.actor(), false);
                })
                .toList();
    }

    /** Passes if the caller may cancel the run. */
    void require(Principal caller, ThreadRoster thread, Run run) {
        if (allowed(caller, thread, List.of(run)).isEmpty()) {
            throw RunOwners.foreign(run.runId()).toException();
        }
    }

    /** Passes if the caller may displace the runs that block the new run. The lane checks this once more. */
    void requireMayDisplace(
            Principal caller, ThreadRoster thread, Actor agent, MultitaskStrategy strategy, List<Run> unfinished) {
        List<RunOwners.Name> inTheWay = unfinished.stream()
                .filter(run -> run.isDisplacedBy(agent, strategy))
                .map(RunOwners.Name::of)
                .toList();
        boolean manages = isManager(caller, thread);
        owners(inTheWay).forEach((run, owners) -> {
            if (!owners.allow(strategy, caller.actor(), manages)) {
                throw RunOwners.notToDisplace(strategy, run.run()).toException();
            }
        });
    }

    private Map<RunOwners.Name, RunOwners> owners(Collection<RunOwners.Name> runs) {
        return database.read(handle -> {
            try {
                return RunOwners.read(handle.getConnection(), runs);
            } catch (SQLException failed) {
                throw new IllegalStateException("Could not read the owners of runs", failed);
            }
        });
    }
}
