package dev.parley.runs.lifecycle;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes effects on runs in the lane's transaction. Times are the database's.
 *
 * <p>Most effects open or move runs. Both are written for the whole batch at once: opened runs first, moves last. No
 * effect has to be written before its run is opened. After a move a batch holds nothing more of the thread except
 * effects of the same command: an external driver's post along with a claim, which sets the same lease, or its pause or
 * end, which {@link MovedRuns} writes after the claim. No run moves twice to the same state in one command.
 */
public final class RunEffectWriter implements EffectWriter<RunEffect> {
    private final Duration maxClaim;

    /** @param maxClaim the time that a run waits for the first post of its external agent */
    public RunEffectWriter(Duration maxClaim) {
        this.maxClaim = maxClaim;
    }

    @Override
    public Class<RunEffect> type() {
        return RunEffect.class;
    }

    @Override
    public void write(Connection connection, List<RunEffect> changes) throws SQLException {
        List<RunEffect.Opened> opened = ofType(RunEffect.Opened.class, changes);
        List<RunEffect.Moved> moved = ofType(RunEffect.Moved.class, changes);
        if (!opened.isEmpty()) {
            OpenedRuns.write(connection, opened, maxClaim);
        }
        for (RunEffect effect : changes) {
            write(connection, effect);
        }
        MovedRuns.write(connection, moved);
    }

    private static <T extends RunEffect> List<T> ofType(Class<T> type, List<RunEffect> changes) {
        return changes.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void write(Connection connection, RunEffect effect) throws SQLException {
        switch (effect) {
            // Written before and after all others.
            case RunEffect.Turning together -> {}
            // Judged before anything is written.
            case RunEffect.RequireNotSuperseded judged -> {}
            case RunEffect.RequireSuperseded judged -> {}
            case RunEffect.Lifted lifted ->
                update(connection, "update runs set reads_to = null where task_id = ?", lifted.task());
            case RunEffect.Joined(UUID task, long seq) ->
                update(connection, "update runs set triggers = triggers || ?::bigint where task_id = ?", seq, task);
            case RunEffect.Fed(UUID task, long from, long next) ->
                update(
                        connection,
                        "update runs set next_event = ?, lease_until = now() + ?::interval where task_id = ?",
                        next,
                        RunRows.interval(RunSettings.DRIVER_LEASE),
                        task);
            case RunEffect.ChildOpened child -> openChild(connection, child);
            case RunEffect.ChildEnded child ->
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
            case RunEffect.StateReplaced replaced ->
                update(connection, """
                        insert into thread_states (thread_id, version, state) values (?, 1, ?::json)
                        on conflict (thread_id) do update
                            set version = thread_states.version + 1, state = excluded.state""", replaced.thread().value(), replaced.json());
            case RunEffect.QuestionsAsked asked -> ask(connection, asked);
            case RunEffect.QuestionsAnswered answered ->
                update(
                        connection,
                        """
                        update interrupts set answered_by = ?
                        where thread_id = ? and interrupt_id = any (?) and answered_by is null""",
                        answered.task(),
                        answered.thread().value(),
                        texts(connection, answered.interrupts()));
            case RunEffect.Overtaken overtaken -> overtake(connection, overtaken);
            case RunEffect.QuestionsReopened(UUID task) ->
                update(connection, "update interrupts set answered_by = null where answered_by = ?", task);
            case RunEffect.CallsLeft left -> leave(connection, left);
            case RunEffect.CallsAnswered answered ->
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

    private static void overtake(Connection connection, RunEffect.Overtaken overtaken) throws SQLException {
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

    private static void openChild(Connection connection, RunEffect.ChildOpened child) throws SQLException {
        Run root = child.root();
        // An id in use belongs to another run, which stays as it is.
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
                root.driver().stored(),
                RunRows.wire(root.identity().origin()),
                root.taskId(),
                root.taskId(),
                root.positions().created());
    }

    private static void ask(Connection connection, RunEffect.QuestionsAsked asked) throws SQLException {
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

    private static void leave(Connection connection, RunEffect.CallsLeft left) throws SQLException {
        for (RunEffect.OpenCall call : left.calls()) {
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
