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
 * The owners of a session's runs: a run of the log belongs to its owners ({@link RunOwners}), and any other run belongs
 * to the caller that first posted it.
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
     * The owners of the runs that exist. A name has several records only if another owner's session run had the name
     * before a run of the log took it.
     */
    static Map<RunOwners.Name, List<RunOwners>> read(Connection connection, Collection<RunOwners.Name> runs)
            throws SQLException {
        if (runs.isEmpty()) {
            return Map.of();
        }
        Map<RunOwners.Name, List<RunOwners>> found = new HashMap<>();
        RunOwners.read(connection, runs).forEach((run, owners) -> found.put(run, List.of(owners)));
        recorded(connection, runs)
                .forEach((run, recorded) ->
                        found.merge(run, List.of(recorded), (logged, also) -> merge(logged, recorded)));
        return found;
    }

    private static List<RunOwners> merge(List<RunOwners> logged, RunOwners recorded) {
        Actor teller = recorded.starter();
        boolean agree = teller == null || logged.stream().allMatch(owners -> owners.allow(teller, false));
        return agree
                ? logged
                : Stream.concat(logged.stream(), Stream.of(recorded)).toList();
    }

    private static Map<RunOwners.Name, RunOwners> recorded(Connection connection, Collection<RunOwners.Name> runs)
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

    /** Throws unless the caller owns the runs, or they have no owner yet. */
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
            throw new IllegalStateException("Could not read the owners of runs", failed);
        }
    }

    static boolean allow(List<RunOwners> owners, Actor actor, boolean manages) {
        return owners.stream().allMatch(each -> each.allow(actor, manages));
    }
}
