package dev.parley.runs;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what happens to runs inside the lane's transaction, in the order in which it happens. Times are the database's. */
public final class RunChangeWriter implements EffectWriter<RunChange> {
    @Override
    public Class<RunChange> type() {
        return RunChange.class;
    }

    @Override
    public void write(Connection connection, List<RunChange> changes) throws SQLException {
        for (RunChange change : changes) {
            write(connection, change);
        }
    }

    private static void write(Connection connection, RunChange change) throws SQLException {
        switch (change) {
            case RunChange.Opened opened -> open(connection, opened);
            case RunChange.Moved moved -> move(connection, moved);
            case RunChange.Joined(UUID task, long seq) ->
                update(connection, "update runs set triggers = triggers || ?::bigint where task_id = ?", seq, task);
            case RunChange.Fed(UUID task, long from, long next) ->
                update(
                        connection,
                        "update runs set next_event = ?, lease_until = now() + ?::interval where task_id = ?",
                        next,
                        RunRows.interval(RunSettings.SILENCE),
                        task);
            case RunChange.ChildOpened child -> openChild(connection, child);
            case RunChange.ChildEnded child ->
                update(
                        connection,
                        """
                        update runs set state = ?, error_code = ?, error_message = ?, ended_at = now()
                        where task_id = ? and root = ? and ended_at is null""",
                        child.ending().wire(),
                        child.errorCode(),
                        child.errorMessage(),
                        child.task(),
                        child.root());
            case RunChange.StateReplaced replaced ->
                update(connection, """
                        insert into thread_states (thread_id, version, state) values (?, 1, ?::json)
                        on conflict (thread_id) do update
                            set version = thread_states.version + 1, state = excluded.state""", replaced.thread().value(), replaced.json());
            case RunChange.Asked asked -> ask(connection, asked);
            case RunChange.Answered answered ->
                update(
                        connection,
                        """
                        update interrupts set answered_by = ?
                        where thread_id = ? and interrupt_id = any (?) and answered_by is null""",
                        answered.task(),
                        answered.thread().value(),
                        texts(connection, answered.interrupts()));
            case RunChange.Overtaken overtaken -> overtake(connection, overtaken);
            case RunChange.Unanswered(UUID task) ->
                update(connection, "update interrupts set answered_by = null where answered_by = ?", task);
            case RunChange.CallsLeft left -> leave(connection, left);
            case RunChange.CallsAnswered answered ->
                update(
                        connection,
                        """
                        update open_calls set answered_by = ?
                        where thread_id = ? and call_id = any (?) and answered_by is null""",
                        answered.task(),
                        answered.thread().value(),
                        texts(connection, answered.calls()));
        }
    }

    private static void overtake(Connection connection, RunChange.Overtaken overtaken) throws SQLException {
        for (String table : List.of("interrupts", "open_calls")) {
            update(
                    connection,
                    """
                    update <table> as left_open set answered_by = ?
                    where thread_id = ? and answered_by is null and exists (
                        select 1 from runs r
                        where r.task_id = left_open.task_id and r.created_position >= ? and r.task_id <> ?)""".replace("<table>", table),
                    overtaken.task(),
                    overtaken.thread().value(),
                    overtaken.position(),
                    overtaken.task());
        }
    }

    private static void open(Connection connection, RunChange.Opened run) throws SQLException {
        displace(connection, run);
        RunState.Running running = run.state() instanceof RunState.Running begun ? begun : null;
        Long trigger = run.answersLast() ? Long.valueOf(run.seq()) : run.readsTo();
        update(
                connection,
                """
                insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                    state, epoch, attempts, holder, fingerprint, input, triggers, reads_to, created_position,
                    first_position, created_at, started_at, lease_until)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json,
                    case when ?::bigint is null then '{}'::bigint[] else array[?::bigint] end, ?::bigint, ?,
                    ?::bigint, now(), case when ? then now() end, case when ? then now() + ?::interval end)""",
                run.task(),
                run.thread().value(),
                run.runId(),
                run.agent().value(),
                run.startedBy().value(),
                wire(run.driver()),
                wire(run.origin()),
                wire(run.strategy()),
                run.parent(),
                run.root(),
                run.state().wire(),
                run.state().epoch(),
                run.state().attempts(),
                running == null ? null : running.holder(),
                run.fingerprint() == null ? null : run.fingerprint().bytes(),
                run.input(),
                trigger,
                trigger,
                run.readsTo(),
                run.position(),
                running == null ? null : run.position() + 1,
                running != null,
                run.driver() == Run.Driver.OUTSIDE,
                RunRows.interval(running == null ? RunSettings.UNCLAIMED : RunSettings.SILENCE));
    }

    /** A run that does not want to wait for the active one says so in its own transaction; ending it comes after that. */
    private static void displace(Connection connection, RunChange.Opened run) throws SQLException {
        Intention intention = Intention.towardsActive(run.strategy());
        if (intention != null) {
            update(
                    connection,
                    """
                    update runs set ending = ?
                    where thread_id = ? and agent = ? and state in ('queued', 'running', 'waiting')
                        and state = 'running' and driver = 'node' and root is null and ending is null""",
                    intention.wire(),
                    run.thread().value(),
                    run.agent().value());
        }
    }

    private static void move(Connection connection, RunChange.Moved moved) throws SQLException {
        switch (moved.to()) {
            case RunState.Queued(int epoch, int attempts) -> update(connection, """
                        update runs set state = 'queued', epoch = ?, attempts = ?, node = null, holder = null
                        where task_id = ?""", epoch, attempts, moved.task());
            case RunState.Running running ->
                update(
                        connection,
                        """
                        update runs set state = 'running', epoch = ?, attempts = ?, node = ?, holder = ?,
                            ending = coalesce(?, ending), first_position = coalesce(first_position, ?),
                            -- how long it was waited for does not count as how long it takes
                            started_at = case when state = 'waiting' then now() else coalesce(started_at, now()) end,
                            lease_until = case when driver = 'outside' then now() + ?::interval end
                        where task_id = ?""",
                        running.epoch(),
                        running.attempts(),
                        running.node(),
                        running.holder(),
                        moved.intention(),
                        moved.position() + 1,
                        RunRows.interval(RunSettings.SILENCE),
                        moved.task());
            case RunState.Waiting(int epoch, int attempts) -> update(connection, """
                        update runs set state = 'waiting', epoch = ?, attempts = ?, holder = null, lease_until = null
                        where task_id = ?""", epoch, attempts, moved.task());
            case RunState.Over over ->
                update(
                        connection,
                        """
                        update runs set state = ?, outcome = ?::json, error_code = ?, error_message = ?,
                            last_position = ?, first_position = coalesce(first_position, ?),
                            ended_at = now(), node = null, lease_until = null
                        where task_id = ?""",
                        over.wire(),
                        moved.outcome() == null ? null : Json.MAPPER.writeValueAsString(moved.outcome()),
                        moved.errorCode(),
                        moved.errorMessage(),
                        moved.position(),
                        // One that never began has two events: that it began, and directly behind it how it ended.
                        moved.position() - 1,
                        moved.task());
        }
    }

    private static void openChild(Connection connection, RunChange.ChildOpened child) throws SQLException {
        Run root = child.root();
        // An id that is taken belongs to somebody else's run, which stays as it is.
        update(
                connection,
                """
                insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, parent, root,
                    state, epoch, attempts, triggers, created_position, created_at, started_at)
                values (?, ?, ?, ?, ?, ?, ?, 'enqueue', ?, ?, 'running', 1, 1, '{}', ?, now(), now())
                on conflict do nothing""",
                child.task(),
                root.thread().value(),
                child.runId(),
                root.agent().value(),
                root.agent().value(),
                wire(root.driver()),
                wire(root.origin()),
                root.taskId(),
                root.taskId(),
                root.createdPosition());
    }

    private static void ask(Connection connection, RunChange.Asked asked) throws SQLException {
        for (Interrupt question : asked.questions()) {
            update(
                    connection,
                    """
                    insert into interrupts (thread_id, interrupt_id, task_id, question) values (?, ?, ?, ?::json)
                    on conflict do nothing""",
                    asked.thread().value(),
                    question.id(),
                    asked.task(),
                    Json.MAPPER.writeValueAsString(question));
        }
    }

    private static void leave(Connection connection, RunChange.CallsLeft left) throws SQLException {
        for (RunChange.OpenCall call : left.calls()) {
            update(
                    connection,
                    """
                    insert into open_calls (thread_id, call_id, task_id, tool_name, agent) values (?, ?, ?, ?, ?)
                    on conflict do nothing""",
                    left.thread().value(),
                    call.id(),
                    left.task(),
                    call.tool(),
                    left.agent().value());
        }
    }

    static String wire(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static java.sql.Array texts(Connection connection, List<String> texts) throws SQLException {
        return connection.createArrayOf("text", texts.toArray());
    }

    private static void update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
