package dev.parley.runs.lifecycle;

import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the runs that a batch opens: one statement for all of them. */
final class OpenedRuns {
    private static final String INSERT = """
            insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                state, epoch, attempts, node, holder, fingerprint, input, triggers, reads_to, created_position,
                first_position, created_at, started_at, lease_until)
            select task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                state, epoch, attempts, node, holder, fingerprint, input::json,
                case when trigger is null then '{}'::bigint[] else array[trigger] end, reads_to, position,
                case when state = 'running' then position + 1 end, now(),
                case when state = 'running' then now() end, now() + patience * interval '1 millisecond'
            from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::uuid[], ?::uuid[], ?::text[], ?::integer[], ?::integer[], ?::uuid[], ?::uuid[], ?::bytea[],
                ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
                as new (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                    state, epoch, attempts, node, holder, fingerprint, input, trigger, reads_to, position, patience)
            """;

    private OpenedRuns() {}

    static void write(Connection connection, List<RunEffect.Opened> runs, Duration maxClaim) throws SQLException {
        for (RunEffect.Opened run : runs) {
            displace(connection, run);
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            new SqlArrays(connection, insert)
                    .uuids(runs, RunEffect.Opened::task)
                    .uuids(runs, run -> run.thread().value())
                    .texts(runs, RunEffect.Opened::runId)
                    .texts(runs, run -> run.agent().value())
                    .texts(runs, run -> run.startedBy().value())
                    .texts(runs, run -> RunRows.wire(run.driver()))
                    .texts(runs, run -> RunRows.wire(run.origin()))
                    .texts(runs, run -> RunRows.wire(run.strategy()))
                    .uuids(runs, RunEffect.Opened::parent)
                    .uuids(runs, RunEffect.Opened::root)
                    .texts(runs, run -> run.state().wire())
                    .integers(runs, run -> run.state().epoch())
                    .integers(runs, run -> run.state().attempts())
                    .uuids(runs, run -> run.state() instanceof RunState.Running running ? running.node() : null)
                    .uuids(runs, run -> run.state() instanceof RunState.Running running ? running.holder() : null)
                    .bytes(
                            runs,
                            run -> run.fingerprint() == null
                                    ? null
                                    : run.fingerprint().bytes())
                    .texts(runs, RunEffect.Opened::input)
                    .longs(runs, run -> run.answersLast() ? Long.valueOf(run.seq()) : run.readsTo())
                    .longs(runs, RunEffect.Opened::readsTo)
                    .longs(runs, RunEffect.Opened::position)
                    .longs(runs, run -> patience(run, maxClaim));
            insert.executeUpdate();
        }
    }

    /** How long somebody outside may be silent, in milliseconds; one that a node executes has that node's lease. */
    private static @Nullable Long patience(RunEffect.Opened run, Duration maxClaim) {
        if (run.driver() != Run.Driver.EXTERNAL) {
            return null;
        }
        boolean begun = run.state() instanceof RunState.Running;
        return (begun ? RunSettings.DRIVER_LEASE : maxClaim).toMillis();
    }

    /** A run that does not want to wait for the active one says so in its own transaction; ending it comes after that. */
    private static void displace(Connection connection, RunEffect.Opened run) throws SQLException {
        Intention intention = Intention.towardsActive(run.strategy());
        if (intention == null) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement("""
                update runs set ending = ?
                where thread_id = ? and agent = ? and state in ('queued', 'running', 'waiting')
                    and state = 'running' and driver = 'node' and root is null and ending is null""")) {
            statement.setString(1, intention.wire());
            statement.setObject(2, run.thread().value());
            statement.setString(3, run.agent().value());
            statement.executeUpdate();
        }
    }
}
