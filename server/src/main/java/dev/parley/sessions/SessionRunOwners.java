package dev.parley.sessions;

import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.RunRights;
import dev.parley.runs.lifecycle.RunOwners;
import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import dev.parley.threads.ThreadRoster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Whose the runs are that a session knows: a run of the log is its owners' ({@link RunOwners}), and another one is whose
 * caller told of it first.
 */
final class SessionRunOwners {
    private static final String READ = """
            select wanted.thread_id, wanted.id, s.started_by, s.holders || %s as owners
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select started_by, array_remove(array[started_by], null) as holders from session_runs
                where thread_id = wanted.thread_id and run_id = wanted.id limit 1) as s""".formatted(RunOwners.OWNERS_OF_AGENTS.formatted("s.holders"));

    private final Database database;

    SessionRunOwners(Database database) {
        this.database = database;
    }

    /**
     * The owners of those of the runs that there are. Several records of one run stand side by side only where somebody
     * gave the run of the log a name that a session's run of somebody else had.
     */
    static Map<RunOwners.Name, List<RunOwners>> read(Connection connection, Collection<RunOwners.Name> runs)
            throws SQLException {
        if (runs.isEmpty()) {
            return Map.of();
        }
        Map<RunOwners.Name, List<RunOwners>> found = new HashMap<>();
        RunOwners.read(connection, runs).forEach((run, owners) -> found.put(run, List.of(owners)));
        told(connection, runs)
                .forEach((run, told) -> found.merge(run, List.of(told), (logged, also) -> together(logged, told)));
        return found;
    }

    private static List<RunOwners> together(List<RunOwners> logged, RunOwners told) {
        Actor teller = told.starter();
        boolean agree = teller == null || logged.stream().allMatch(owners -> owners.allow(teller, false));
        return agree ? logged : Stream.concat(logged.stream(), Stream.of(told)).toList();
    }

    private static Map<RunOwners.Name, RunOwners> told(Connection connection, Collection<RunOwners.Name> runs)
            throws SQLException {
        Map<RunOwners.Name, RunOwners> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            new SqlArrays(connection, statement)
                    .uuids(runs, run -> run.thread().value())
                    .texts(runs, RunOwners.Name::run);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String teller = row.getString("started_by");
                    found.put(
                            new RunOwners.Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)),
                            new RunOwners(
                                    teller == null ? null : new Actor(teller),
                                    RunOwners.actors(row, "owners"),
                                    Set.of()));
                }
            }
        }
        return found;
    }

    /** Passes if a run is nobody's so far, or the caller's. */
    void require(Principal caller, ThreadRoster thread, Collection<String> runs) {
        if (runs.isEmpty()) {
            return;
        }
        database.read(handle -> {
            require(handle.getConnection(), caller, thread, runs);
            return runs.size();
        });
    }

    static void require(Connection connection, Principal caller, ThreadRoster thread, Collection<String> runs) {
        boolean manages = RunRights.isManager(caller, thread);
        List<RunOwners.Name> names =
                runs.stream().map(run -> new RunOwners.Name(thread.id(), run)).toList();
        try {
            read(connection, names).forEach((run, owners) -> {
                if (!allow(owners, caller.actor(), manages)) {
                    throw RunOwners.foreign(run.run()).toException();
                }
            });
        } catch (SQLException failed) {
            throw new IllegalStateException("The owners of runs could not be read", failed);
        }
    }

    static boolean allow(List<RunOwners> owners, Actor actor, boolean manages) {
        return owners.stream().allMatch(each -> each.allow(actor, manages));
    }
}
