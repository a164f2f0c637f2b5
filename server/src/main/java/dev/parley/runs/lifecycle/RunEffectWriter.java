package dev.parley.runs.lifecycle;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.storage.SqlBatch;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes effects on runs in the lane's transaction. An opened run has the time of its command. All other times come
 * from the database.
 *
 * <p>Most effects open or move runs. The writer writes the opened runs of the whole batch first, then the other
 * effects, and the moves of the whole batch last. This order is correct for three reasons. First, no effect has to
 * precede the opening of its run. Second, the only effects for the same thread that follow a move in the batch belong
 * to the same command. Such an effect is an external driver's post with a claim, which sets the same lease, or the
 * driver's pause or end, which {@link MovedRuns} writes after the claim. Third, no run moves twice to the same state in
 * one command.
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
    public void write(SqlBatch batch, List<RunEffect> changes) {
        List<RunEffect.Opened> opened = ofType(RunEffect.Opened.class, changes);
        List<RunEffect.Moved> moved = ofType(RunEffect.Moved.class, changes);
        if (!opened.isEmpty()) {
            OpenedRuns.write(batch, opened, maxClaim);
        }
        for (RunEffect effect : changes) {
            write(batch, effect);
        }
        MovedRuns.write(batch, moved);
    }

    private static <T extends RunEffect> List<T> ofType(Class<T> type, List<RunEffect> changes) {
        return changes.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void write(SqlBatch batch, RunEffect effect) {
        switch (effect) {
            // Opened runs are written before the other effects, and moves after them.
            case RunEffect.Turning together -> {}
            // The rule judges these two effects. They write nothing.
            case RunEffect.RequireNotSuperseded judged -> {}
            case RunEffect.RequireSuperseded judged -> {}
            case RunEffect.Lifted lifted ->
                update(batch, "update runs set reads_to = null where task_id = ?", lifted.task());
            case RunEffect.Joined(ThreadId thread, UUID task, long seq) ->
                update(batch, "update runs set triggers = triggers || ?::bigint where task_id = ?", seq, task);
            case RunEffect.Fed(ThreadId thread, UUID task, long from, long next, boolean silent) ->
                update(
                        batch,
                        "update runs set next_event = ?, lease_until = now() + ?::interval where task_id = ?",
                        next,
                        RunRows.interval(RunSettings.DRIVER_LEASE),
                        task);
            case RunEffect.ChildOpened child -> openChild(batch, child);
            case RunEffect.ChildEnded child ->
                update(
                        batch,
                        """
                        update runs set state = ?, error_code = ?, error_message = ?, ended_at = now()
                        where task_id = ? and root = ? and ended_at is null""",
                        child.ending().wire(),
                        child.errorCode(),
                        child.errorMessage(),
                        child.task(),
                        child.root());
            case RunEffect.StateReplaced replaced ->
                update(batch, """
                        insert into thread_states (thread_id, version, state) values (?, 1, ?::json)
                        on conflict (thread_id) do update
                            set version = thread_states.version + 1, state = excluded.state""", replaced.thread().value(), replaced.json());
            case RunEffect.QuestionsAsked asked -> ask(batch, asked);
            case RunEffect.QuestionsAnswered answered ->
                batch.add(
                        """
                        update interrupts set answered_by = ?
                        where thread_id = ? and interrupt_id = any (?) and answered_by is null""",
                        arrays -> arrays.values(
                                        answered.task(), answered.thread().value())
                                .texts(answered.interrupts(), id -> id));
            case RunEffect.Overtaken overtaken -> overtake(batch, overtaken);
            case RunEffect.QuestionsReopened(UUID task) ->
                update(batch, "update interrupts set answered_by = null where answered_by = ?", task);
            case RunEffect.CallsLeft left -> leave(batch, left);
            case RunEffect.CallsAnswered answered ->
                batch.add(
                        """
                        update open_calls set answered_by = ?
                        where thread_id = ? and call_id = any (?) and answered_by is null""",
                        arrays -> arrays.values(
                                        answered.task(), answered.thread().value())
                                .texts(answered.calls(), id -> id));
        }
    }

    private static void overtake(SqlBatch batch, RunEffect.Overtaken overtaken) {
        for (String table : List.of("interrupts", "open_calls")) {
            update(
                    batch,
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

    private static void openChild(SqlBatch batch, RunEffect.ChildOpened child) {
        Run root = child.root();
        // An id in use belongs to another run, which stays as it is.
        update(
                batch,
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

    private static void ask(SqlBatch batch, RunEffect.QuestionsAsked asked) {
        for (Interrupt question : asked.questions()) {
            update(
                    batch,
                    """
                    insert into interrupts (thread_id, interrupt_id, task_id, question) values (?, ?, ?, ?::json)
                    on conflict do nothing""",
                    asked.thread().value(),
                    question.id(),
                    asked.task(),
                    Json.MAPPER.writeValueAsString(question));
        }
    }

    private static void leave(SqlBatch batch, RunEffect.CallsLeft left) {
        for (RunEffect.OpenCall call : left.calls()) {
            update(
                    batch,
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

    private static void update(SqlBatch batch, String sql, @Nullable Object... values) {
        batch.add(sql, arrays -> arrays.values(values));
    }
}
