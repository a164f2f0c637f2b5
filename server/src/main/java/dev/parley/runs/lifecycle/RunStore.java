package dev.parley.runs.lifecycle;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs, their questions and their calls. This class changes no run's state, because all such changes go through
 * the lane.
 */
public final class RunStore {
    private final Database database;

    public RunStore(Database database) {
        this.database = database;
    }

    /** A run, by its client's name for it or by the server's id. */
    public Optional<Run> find(ThreadId thread, String id) {
        Optional<UUID> task = UuidV7.parseCanonical(id);
        return task.isEmpty()
                ? one("thread_id = :thread and run_id = :id", Map.of("thread", thread.value(), "id", id))
                : one("""
                        thread_id = :thread and (run_id = :id or task_id = :task)
                        order by run_id = :id desc limit 1""", Map.of("thread", thread.value(), "id", id, "task", task.get()));
    }

    public Optional<Run> find(UUID task) {
        return one("task_id = :task", Map.of("task", task));
    }

    private Optional<Run> one(String where, Map<String, Object> values) {
        return database.read(
                handle -> handle.createQuery("select " + RunRows.columns("r") + " from runs r where " + where)
                        .bindMap(values)
                        .map((row, context) -> RunRows.read(row))
                        .findOne());
    }

    /** The fingerprint of the request for a run; empty for a run that a message started. */
    public Optional<Digest> fingerprint(UUID task) {
        return database.read(handle -> handle.createQuery("select fingerprint from runs where task_id = :task")
                .bind("task", task)
                .map((row, context) -> Optional.ofNullable(row.getBytes(1)).map(Digest::of))
                .one());
    }

    /**
     * True if the actor requested this run and the request is erased. A repetition of an erased request cannot be told
     * from another request.
     */
    public boolean isErased(UUID task, Actor startedBy) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from runs
                            where task_id = :task and erased_at is not null and started_by = :actor)""")
                .bind("task", task)
                .bind("actor", startedBy.value())
                .mapTo(Boolean.class)
                .one());
    }

    /** The client's input of a run; empty for a run that a message started. */
    public Optional<RunAgentInput> input(UUID task) {
        return database.read(handle -> handle.createQuery("select input from runs where task_id = :task")
                        .bind("task", task)
                        .map((row, context) -> Optional.ofNullable(row.getString(1)))
                        .one())
                .map(json -> Json.MAPPER.readValue(json, RunAgentInput.class));
    }

    /** The runs of a thread before a cursor, the newest first, including children. */
    public List<Run> list(ThreadId thread, Run.Cursor before, int limit) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where thread_id = :thread and (created_position, task_id) < (:before, :task)
            order by created_position desc, task_id desc limit :limit\
            """.replace("<columns>", RunRows.columns("r")))
                .bind("thread", thread.value())
                .bind("before", before.createdPosition())
                .bind("task", before.task())
                .bind("limit", limit)
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /** The latest run of a thread that is not a child of another run. */
    public Optional<Run> newestRoot(ThreadId thread) {
        return one(
                "thread_id = :thread and root is null order by created_position desc, task_id desc limit 1",
                Map.of("thread", thread.value()));
    }

    /** The unfinished runs of a thread, the oldest first. */
    public List<Run> unfinished(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where thread_id = :thread and state in ('queued', 'running', 'waiting') and root is null
            order by created_position, task_id limit 2000\
            """.replace("<columns>", RunRows.columns("r")))
                .bind("thread", thread.value())
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /**
     * One unfinished run of the thread. Any run of this agent takes precedence over the runs of other agents; then a
     * running run takes precedence.
     */
    public Optional<Run> unfinished(ThreadId thread, @Nullable Actor agent) {
        List<Run> all = unfinished(thread);
        return Stream.of(true, false)
                .flatMap(own -> Stream.of(true, false)
                        .flatMap(running -> all.stream()
                                .filter(run -> run.state() instanceof RunState.Running == running
                                        && run.agent().equals(agent) == own)))
                .findFirst();
    }

    /** The seqs of the messages that other unfinished runs of the thread will answer. */
    public Set<Long> otherTriggers(Run run) {
        return database.read(handle -> handle.createQuery("""
            select distinct unnest(triggers) from runs
            where thread_id = :thread and state in ('queued', 'running', 'waiting') and task_id <> :task\
            """)
                .bind("thread", run.thread().value())
                .bind("task", run.taskId())
                .mapTo(Long.class)
                .set());
    }

    /** The latest run that supersedes a run's answer; empty if no run supersedes the answer. */
    public Optional<Run> supersederOf(Run run) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r join runs later on <supersedes>
            where r.task_id = :task
            order by later.created_position desc, later.task_id desc limit 1\
            """.replace("<columns>", RunRows.columns("later"))
                        .replace("<supersedes>", Supersession.SUPERSEDES))
                .bind("task", run.taskId())
                .map((row, context) -> RunRows.read(row))
                .findOne());
    }

    /** Reads whether a run is superseded, and the seqs whose supersession its end would lift. */
    public Supersession.View supersession(Run run) {
        return new Supersession.View() {
            @Override
            public boolean isSuperseded() {
                return supersederOf(run).isPresent();
            }

            @Override
            public List<Long> liftable() {
                return database.read(handle -> {
                    try {
                        return Supersession.liftable(handle.getConnection(), List.of(run.taskId()))
                                .getOrDefault(run.taskId(), List.of());
                    } catch (SQLException failed) {
                        throw new IllegalStateException(
                                "Could not read the supersessions of run " + run.name(), failed);
                    }
                });
            }
        };
    }

    /** A thread's shared state. */
    public record SharedState(long version, String json) {}

    public Optional<SharedState> state(ThreadId thread) {
        return database.read(
                handle -> handle.createQuery("select version, state from thread_states where thread_id = :thread")
                        .bind("thread", thread.value())
                        .map((row, context) -> new SharedState(row.getLong("version"), row.getString("state")))
                        .findOne());
    }

    /** The questions that a run answers. */
    public List<OpenInterrupt> answeredBy(UUID task) {
        return database.read(handle -> handle.createQuery("""
            select i.question, i.task_id, r.agent from interrupts i join runs r on r.task_id = i.task_id
            where i.answered_by = :task limit 1000\
            """)
                .bind("task", task)
                .map((row, context) -> question(row))
                .list());
    }

    /** A call that an earlier run left open. */
    public record LeftCall(String id, UUID task, String tool, Actor agent) {}

    /** The unanswered questions of a thread, the oldest first. */
    public List<OpenInterrupt> openInterrupts(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select i.question, i.task_id, r.agent from interrupts i join runs r on r.task_id = i.task_id
            where i.thread_id = :thread and i.answered_by is null
            order by r.created_position, i.interrupt_id limit 1000\
            """)
                .bind("thread", thread.value())
                .map((row, context) -> question(row))
                .list());
    }

    private static OpenInterrupt question(ResultSet row) throws SQLException {
        return new OpenInterrupt(
                row.getObject("task_id", UUID.class),
                new Actor(row.getString("agent")),
                Json.MAPPER.readValue(row.getString("question"), Interrupt.class));
    }

    /** A question, and the run and the agent that asked it. */
    public record OpenInterrupt(UUID task, Actor agent, Interrupt question) {}

    /** The unanswered calls that the thread's last run left; the calls of earlier runs no longer count. */
    public List<String> openCalls(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select call_id from open_calls
            where thread_id = :thread and answered_by is null and task_id = (
                select task_id from runs where thread_id = :thread and root is null
                order by created_position desc, task_id desc limit 1)
            order by call_id limit 1000\
            """)
                .bind("thread", thread.value())
                .mapTo(String.class)
                .list());
    }

    /**
     * The run whose input contained the result of a call that an earlier run had left. If several runs left a call with
     * this id, the call of the latest of them counts.
     */
    public Optional<Run> thatAnswered(ThreadId thread, String call) {
        return one("""
            thread_id = :thread and task_id = (
                select answered_by from open_calls
                where thread_id = :thread and call_id = :call and answered_by is not null
                order by task_id desc limit 1)\
            """, Map.of("thread", thread.value(), "call", call));
    }

    public List<LeftCall> openCalls(ThreadId thread, Collection<String> calls) {
        return database.read(handle -> handle.createQuery("""
            select distinct on (call_id) call_id, task_id, tool_name, agent from open_calls
            where thread_id = :thread and answered_by is null and call_id = any (:calls)
            order by call_id, task_id desc\
            """)
                .bind("thread", thread.value())
                .bindArray("calls", String.class, calls.toArray())
                .map((row, context) -> new LeftCall(
                        row.getString("call_id"),
                        row.getObject("task_id", UUID.class),
                        row.getString("tool_name"),
                        new Actor(row.getString("agent"))))
                .list());
    }

    /** The calls among {@code calls} that runs left to their client and that have a result. */
    public Set<String> answeredCalls(ThreadId thread, Collection<String> calls) {
        if (calls.isEmpty()) {
            return Set.of();
        }
        return database.read(handle -> handle.createQuery("""
            select call_id from open_calls
            where thread_id = :thread and call_id = any (:calls) and answered_by is not null\
            """)
                .bind("thread", thread.value())
                .bindArray("calls", String.class, calls.toArray())
                .mapTo(String.class)
                .set());
    }

    public Map<String, Actor> startersOf(ThreadId thread, Collection<String> runs) {
        return database.read(handle -> handle.createQuery(
                        "select run_id, started_by from runs where thread_id = :thread and run_id = any (:runs)")
                .bind("thread", thread.value())
                .bindArray("runs", String.class, runs.toArray())
                .map((row, context) -> Map.entry(row.getString("run_id"), new Actor(row.getString("started_by"))))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    public Set<String> openCallsOf(UUID task, ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select call_id from open_calls
            where thread_id = :thread and task_id = :task and answered_by is null\
            """)
                .bind("thread", thread.value())
                .bind("task", task)
                .mapTo(String.class)
                .set());
    }

    public Set<String> callsAnsweredBy(UUID task) {
        return database.read(handle -> handle.createQuery("select call_id from open_calls where answered_by = :task")
                .bind("task", task)
                .mapTo(String.class)
                .set());
    }

    public static ProblemException noSuchRun() {
        return new ProblemException(Problem.RUN_NOT_FOUND, "There is no such run in this thread.");
    }
}
