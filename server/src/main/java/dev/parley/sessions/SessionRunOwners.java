package dev.parley.sessions;

import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.RunOwners;
import dev.parley.runs.RunRights;
import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import dev.parley.threads.ThreadRoster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Whose the runs are that a session knows: of who told of them first. A run that the log has as well is also judged by
 * {@link RunOwners}, and has to be the caller's by both.
 */
final class SessionRunOwners {
    private static final String READ = """
            select wanted.thread_id, wanted.id, s.holders || %s as owners
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select array_remove(array[started_by], null) as holders from session_runs
                where thread_id = wanted.thread_id and run_id = wanted.id limit 1) as s""".formatted(
                    RunOwners.OWNERS_OF_AGENTS.formatted("s.holders"));

    private final Database database;

    SessionRunOwners(Database database) {
        this.database = database;
    }

    /** The owners of those of the runs that there are, by each that knows them. */
    static Map<RunOwners.Name, List<RunOwners>> read(Connection connection, Collection<RunOwners.Name> runs)
            throws SQLException {
        if (runs.isEmpty()) {
            return Map.of();
        }
        Map<RunOwners.Name, List<RunOwners>> found = new HashMap<>();
        RunOwners.read(connection, runs).forEach((run, owners) -> add(found, run, owners));
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            new SqlArrays(connection, statement)
                    .uuids(runs, run -> run.thread().value())
                    .texts(runs, RunOwners.Name::run);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    add(
                            found,
                            new RunOwners.Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)),
                            new RunOwners(null, RunOwners.actors(row, "owners"), Set.of()));
                }
            }
        }
        return found;
    }

    private static void add(Map<RunOwners.Name, List<RunOwners>> found, RunOwners.Name run, RunOwners owners) {
        found.computeIfAbsent(run, each -> new ArrayList<>()).add(owners);
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
