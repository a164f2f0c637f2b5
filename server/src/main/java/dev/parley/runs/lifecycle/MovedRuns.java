package dev.parley.runs.lifecycle;

import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the state changes of the runs of a batch, with one statement per target state. The statements have the order
 * in which one command may move a run through the states.
 */
final class MovedRuns {
    private static final String TO_RUNNING = """
            update runs set state = 'running', epoch = new.epoch, attempts = new.attempts, node = new.node,
                holder = new.holder, ending = coalesce(new.ending, runs.ending),
                first_position = coalesce(runs.first_position, new.position + 1),
                -- waiting time does not count towards the time limit
                started_at = case when state = 'waiting' then now() else coalesce(started_at, now()) end,
                lease_until = case when driver = 'outside' then now() + %d * interval '1 millisecond' end
            from unnest(?::uuid[], ?::integer[], ?::integer[], ?::uuid[], ?::uuid[], ?::text[], ?::bigint[])
                as new (task_id, epoch, attempts, node, holder, ending, position)
            where runs.task_id = new.task_id
            """.formatted(RunSettings.DRIVER_LEASE.toMillis());

    /**
     * The minimum length of a run, in positions, for the compaction of its events. For a shorter run, compaction costs
     * more than it saves, so such a run counts as compacted.
     */
    private static final int MIN_COMPACTED = 16;

    /**
     * Ends runs. A run that ends before it began has only two events. The first event then has the position directly
     * before the terminal event.
     */
    private static final String TO_OVER = """
            update runs set state = new.state, outcome = new.outcome::json, error_code = new.error_code,
                error_message = new.error_message, last_position = new.position,
                first_position = coalesce(runs.first_position, new.position - 1),
                stored = case when new.position - runs.first_position >= %d then 0 else 1 end,
                -- the node that opened it may be ahead
                ended_at = greatest(now(), runs.started_at), node = null, lease_until = null
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
                as new (task_id, state, outcome, error_code, error_message, position)
            where runs.task_id = new.task_id
            """.formatted(MIN_COMPACTED);

    private static final String TO_QUEUED = """
            update runs set state = 'queued', epoch = new.epoch, attempts = new.attempts, node = null, holder = null
            from unnest(?::uuid[], ?::integer[], ?::integer[]) as new (task_id, epoch, attempts)
            where runs.task_id = new.task_id
            """;

    private static final String TO_WAITING = """
            update runs set state = 'waiting', epoch = new.epoch, attempts = new.attempts, holder = null,
                lease_until = null
            from unnest(?::uuid[], ?::integer[], ?::integer[]) as new (task_id, epoch, attempts)
            where runs.task_id = new.task_id
            """;

    /** A move and its target state. */
    private record Move<S>(RunEffect.Moved moved, S state) {}

    private MovedRuns() {}

    static void write(SqlBatch batch, List<RunEffect.Moved> moves) {
        List<Move<RunState.Queued>> queued = new ArrayList<>();
        List<Move<RunState.Running>> running = new ArrayList<>();
        List<Move<RunState.Waiting>> waiting = new ArrayList<>();
        List<Move<RunState.Over>> over = new ArrayList<>();
        for (RunEffect.Moved moved : moves) {
            switch (moved.to()) {
                case RunState.Queued state -> queued.add(new Move<>(moved, state));
                case RunState.Running state -> running.add(new Move<>(moved, state));
                case RunState.Waiting state -> waiting.add(new Move<>(moved, state));
                case RunState.Over state -> over.add(new Move<>(moved, state));
            }
        }
        update(
                batch,
                TO_QUEUED,
                queued,
                arrays -> arrays.integers(queued, to -> to.state.epoch()).integers(queued, to -> to.state.attempts()));
        update(
                batch,
                TO_RUNNING,
                running,
                arrays -> arrays.integers(running, to -> to.state.epoch())
                        .integers(running, to -> to.state.attempts())
                        .uuids(running, to -> to.state.node())
                        .uuids(running, to -> to.state.holder())
                        .texts(running, to -> to.moved.intention())
                        .longs(running, to -> to.moved.position()));
        update(
                batch,
                TO_WAITING,
                waiting,
                arrays ->
                        arrays.integers(waiting, to -> to.state.epoch()).integers(waiting, to -> to.state.attempts()));
        update(
                batch,
                TO_OVER,
                over,
                arrays -> arrays.texts(over, to -> to.state.wire())
                        .texts(over, to -> to.moved.result().outcome())
                        .texts(over, to -> to.moved.result().errorCode())
                        .texts(over, to -> to.moved.result().errorMessage())
                        .longs(over, to -> to.moved.position()));
    }

    /** Binds the columns after the runs' ids. */
    private interface Columns {
        void bind(SqlArrays arrays) throws SQLException;
    }

    private static <S> void update(SqlBatch batch, String sql, List<Move<S>> moves, Columns columns) {
        if (!moves.isEmpty()) {
            batch.add(sql, arrays -> columns.bind(arrays.uuids(moves, to -> to.moved.task())));
        }
    }
}
