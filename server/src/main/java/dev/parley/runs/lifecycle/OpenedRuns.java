package dev.parley.runs.lifecycle;

import dev.parley.storage.SqlBatch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the runs that a batch opens, all in one statement. */
final class OpenedRuns {
    private static final String INSERT = """
            insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                state, epoch, attempts, node, holder, fingerprint, input, triggers, reads_to, created_position,
                first_position, created_at, started_at, lease_until)
            select task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                state, epoch, attempts, node, holder, fingerprint, input::json,
                case when trigger is null then '{}'::bigint[] else array[trigger] end, reads_to, position,
                case when state = 'running' then position + 1 end, opened_at,
                case when state = 'running' then opened_at end, now() + patience * interval '1 millisecond'
            from (
                select *, timestamptz 'epoch' + micros * interval '1 microsecond' as opened_at
                from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::uuid[], ?::uuid[], ?::text[], ?::integer[], ?::integer[], ?::uuid[], ?::uuid[], ?::bytea[],
                    ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
                    as new (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                        state, epoch, attempts, node, holder, fingerprint, input, trigger, reads_to, position,
                        patience, micros)) as new
            """;

    private static final String DISPLACE = """
            update runs set ending = ?
            where thread_id = ? and agent = ? and state in ('queued', 'running', 'waiting')
                and state = 'running' and driver = 'node' and root is null and ending is null
            """;

    private OpenedRuns() {}

    static void write(SqlBatch batch, List<RunEffect.Opened> runs, Duration maxClaim) {
        for (RunEffect.Opened opened : runs) {
            displace(batch, opened.run());
        }
        batch.add(
                INSERT,
                arrays -> arrays.uuids(runs, opened -> opened.run().taskId())
                        .uuids(runs, opened -> opened.run().thread().value())
                        .texts(runs, opened -> opened.run().runId())
                        .texts(runs, opened -> opened.run().agent().value())
                        .texts(runs, opened -> opened.run().startedBy().value())
                        .texts(runs, opened -> opened.run().driver().stored())
                        .texts(runs, opened -> RunRows.wire(opened.run().origin()))
                        .texts(runs, opened -> RunRows.wire(opened.run().strategy()))
                        .uuids(runs, opened -> opened.run().parent())
                        .uuids(runs, opened -> opened.run().root())
                        .texts(runs, opened -> opened.state().wire())
                        .integers(runs, opened -> opened.state().epoch())
                        .integers(runs, opened -> opened.state().attempts())
                        .uuids(
                                runs,
                                opened -> opened.state() instanceof RunState.Running running ? running.node() : null)
                        .uuids(
                                runs,
                                opened -> opened.state() instanceof RunState.Running running ? running.holder() : null)
                        .bytes(runs, opened -> {
                            RunBirth.Request request = opened.birth().request();
                            return request == null
                                    ? null
                                    : request.fingerprint().bytes();
                        })
                        .texts(runs, opened -> {
                            RunBirth.Request request = opened.birth().request();
                            return request == null ? null : request.input();
                        })
                        .longs(runs, RunEffect.Opened::trigger)
                        .longs(runs, opened -> opened.birth().readsTo())
                        .longs(runs, RunEffect.Opened::position)
                        .longs(runs, opened -> patience(opened, maxClaim))
                        .longs(runs, opened -> ChronoUnit.MICROS.between(Instant.EPOCH, opened.time())));
    }

    /**
     * The permitted silence of an external driver in milliseconds; null for a run on a node, which has the node's
     * lease.
     */
    private static @Nullable Long patience(RunEffect.Opened opened, Duration maxClaim) {
        if (opened.run().driver() != Run.Driver.EXTERNAL) {
            return null;
        }
        boolean running = opened.state() instanceof RunState.Running;
        return (running ? RunSettings.DRIVER_LEASE : maxClaim).toMillis();
    }

    /**
     * Marks the active run that the new run displaces, in the transaction of the new run. A later command ends the
     * marked run.
     */
    private static void displace(SqlBatch batch, RunIdentity run) {
        Intention intention = Intention.towardsActive(run.strategy());
        if (intention != null) {
            batch.add(
                    DISPLACE,
                    arrays -> arrays.values(
                            intention.wire(), run.thread().value(), run.agent().value()));
        }
    }
}
