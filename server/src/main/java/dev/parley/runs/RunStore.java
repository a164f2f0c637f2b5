package dev.parley.runs;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs, and keeps leases and what was put away. All that changes what becomes of a run goes through the lane
 * instead.
 */
final class RunStore {
    private static final List<String> COLUMNS = List.of(
            "task_id",
            "thread_id",
            "run_id",
            "agent",
            "started_by",
            "driver",
            "origin",
            "strategy",
            "parent",
            "root",
            "state",
            "epoch",
            "attempts",
            "node",
            "holder",
            "ending",
            "triggers",
            "reads_to",
            "created_position",
            "first_position",
            "last_position",
            "next_event",
            "outcome",
            "error_code",
            "error_message",
            "created_at",
            "started_at",
            "ended_at");

    private final Database database;

    RunStore(Database database) {
        this.database = database;
    }

    /** What a {@link Run} is made of: all but what its client sent, which may be large. */
    static String columns(String alias) {
        return COLUMNS.stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
    }

    /** A run by the name its client gave, or by its own id. */
    Optional<Run> find(ThreadId thread, String id) {
        Optional<Run> named = one("thread_id = :thread and run_id = :id", Map.of("thread", thread.value(), "id", id));
        return named.isPresent()
                ? named
                : UuidV7.parseCanonical(id)
                        .flatMap(task -> one(
                                "thread_id = :thread and task_id = :task",
                                Map.of("thread", thread.value(), "task", task)));
    }

    Optional<Run> find(UUID task) {
        return one("task_id = :task", Map.of("task", task));
    }

    private Optional<Run> one(String where, Map<String, Object> values) {
        return database.read(handle -> handle.createQuery("select " + columns("r") + " from runs r where " + where)
                .bindMap(values)
                .map((row, context) -> read(row))
                .findOne());
    }

    /** The fingerprint of what a run was asked with; empty if nobody asked for it by name. */
    Optional<Digest> fingerprint(UUID task) {
        return database.read(handle -> handle.createQuery("select fingerprint from runs where task_id = :task")
                .bind("task", task)
                .map((row, context) -> Optional.ofNullable(row.getBytes(1)).map(Digest::of))
                .one());
    }

    /** Whether somebody asked for this run and what they asked for is erased: nobody can tell any more what it was. */
    boolean isErased(UUID task, Actor startedBy) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from runs
                            where task_id = :task and erased_at is not null and started_by = :actor)""")
                .bind("task", task)
                .bind("actor", startedBy.value())
                .mapTo(Boolean.class)
                .one());
    }

    /** What a run was given, as JSON text. */
    Optional<String> input(UUID task) {
        return database.read(handle -> handle.createQuery("select input from runs where task_id = :task")
                .bind("task", task)
                .map((row, context) -> Optional.ofNullable(row.getString(1)))
                .one());
    }

    /** The runs of a thread before a place, the newest first; children among them. */
    List<Run> list(ThreadId thread, Runs.Place before, int limit) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where thread_id = :thread and (created_position, task_id) < (:before, :task)
            order by created_position desc, task_id desc limit :limit\
            """.replace("<columns>", columns("r")))
                .bind("thread", thread.value())
                .bind("before", before.createdPosition())
                .bind("task", before.task())
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
    }

    /** The runs of a thread that are not over, the oldest first. */
    List<Run> unfinished(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where thread_id = :thread and state in ('queued', 'running', 'waiting') and root is null
            order by created_position, task_id limit 2000\
            """.replace("<columns>", columns("r")))
                .bind("thread", thread.value())
                .map((row, context) -> read(row))
                .list());
    }

    /** The messages that other unfinished runs of the thread are to answer. */
    Set<Long> otherTriggers(Run run) {
        return database.read(handle -> handle.createQuery("""
            select distinct unnest(triggers) from runs
            where thread_id = :thread and state in ('queued', 'running', 'waiting') and task_id <> :task\
            """)
                .bind("thread", run.thread().value())
                .bind("task", run.taskId())
                .mapTo(Long.class)
                .set());
    }

    /** Whether a later run answers anew what this one answers, or something before it. */
    boolean isOvertaken(Run run) {
        return !run.triggers().isEmpty()
                && database.read(handle -> handle.createQuery("""
                    select exists (
                        select 1 from runs
                        where thread_id = :thread and created_position > :created and reads_to <= :asked
                            and state <> 'cancelled')\
                    """)
                        .bind("thread", run.thread().value())
                        .bind("created", run.createdPosition())
                        .bind("asked", run.triggers().getLast())
                        .mapTo(Boolean.class)
                        .one());
    }

    /** Queued runs whose turn it is: the first of its agent in its thread, with nothing of that agent running there. */
    List<Run> claimable(Collection<UUID> except, int limit) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs q
            where q.state = 'queued' and q.driver = 'node' and q.task_id <> all (:except)
                and not exists (
                    select 1 from runs r
                    where r.thread_id = q.thread_id and r.agent = q.agent and r.driver = 'node'
                        and r.root is null and r.state in ('queued', 'running') and r.task_id <> q.task_id
                        and (r.state = 'running'
                            or (r.created_position, r.task_id) < (q.created_position, q.task_id)))
            order by q.created_at limit :limit\
            """.replace("<columns>", columns("q")))
                .bindArray("except", UUID.class, except.toArray())
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
    }

    /** Runs that nobody executes any more: their node is dead, or it is this one and it does not know them. */
    List<Run> abandoned(UUID node, Collection<UUID> held) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r left join nodes n on n.node_id = r.node
            where r.state = 'running' and r.driver = 'node' and r.root is null
                and (n.alive_until is null or n.alive_until < now()
                    or (r.node = :node and r.task_id <> all (:held)))
            limit 100\
            """.replace("<columns>", columns("r")))
                .bind("node", node)
                .bindArray("held", UUID.class, held.toArray())
                .map((row, context) -> read(row))
                .list());
    }

    /** Those of the runs that a node believes to be executing which are over, or another's. */
    List<UUID> lost(UUID node, Collection<UUID> believed) {
        return database.read(handle -> handle.createQuery("""
                        select task_id from runs
                        where task_id = any (:believed) and (state <> 'running' or node is distinct from :node)""")
                .bindArray("believed", UUID.class, believed.toArray())
                .bind("node", node)
                .mapTo(UUID.class)
                .list());
    }

    /** Runs driven from outside whose driver has been silent for too long. */
    List<Run> silent() {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state in ('queued', 'running') and driver = 'outside' and root is null
                and lease_until < now()
            limit 100\
            """.replace("<columns>", columns("r")))
                .map((row, context) -> read(row))
                .list());
    }

    /** Runs that somebody meant to end, such as a newer one that did not want to wait, and that go on. */
    List<Run> toBeEnded() {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state = 'running' and driver = 'node' and root is null and ending is not null
            limit 100\
            """.replace("<columns>", columns("r")))
                .map((row, context) -> read(row))
                .list());
    }

    /** Runs driven from outside that have been going on for too long. */
    List<Run> overdueOutside(Duration longest) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state in ('queued', 'running') and driver = 'outside' and root is null
                and started_at < now() - :longest::interval
            limit 100\
            """.replace("<columns>", columns("r")))
                .bind("longest", interval(longest))
                .map((row, context) -> read(row))
                .list());
    }

    /** Prolongs the patience with an outside driver, if the run is still its. */
    boolean heard(UUID task, int epoch) {
        return database.transact(handle -> handle.createUpdate("""
            update runs set lease_until = now() + :silence::interval
            where task_id = :task and epoch = :epoch and state = 'running'\
            """)
                        .bind("task", task)
                        .bind("epoch", epoch)
                        .bind("silence", interval(RunSettings.SILENCE))
                        .execute()
                == 1);
    }

    /** A thread's shared state. */
    record SharedState(long version, String json) {}

    Optional<SharedState> state(ThreadId thread) {
        return database.read(
                handle -> handle.createQuery("select version, state from thread_states where thread_id = :thread")
                        .bind("thread", thread.value())
                        .map((row, context) -> new SharedState(row.getLong("version"), row.getString("state")))
                        .findOne());
    }

    /** The questions that a run answers. */
    List<OpenInterrupt> answeredBy(UUID task) {
        return database.read(handle -> handle.createQuery("""
            select i.question, i.task_id, r.agent from interrupts i join runs r on r.task_id = i.task_id
            where i.answered_by = :task limit 1000\
            """)
                .bind("task", task)
                .map((row, context) -> question(row))
                .list());
    }

    /** A call that an earlier run left open. */
    record LeftCall(String id, UUID task, String tool, Actor agent) {}

    /** The questions of a thread that nobody has answered, the oldest first. */
    List<OpenInterrupt> openInterrupts(ThreadId thread) {
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
    record OpenInterrupt(UUID task, Actor agent, Interrupt question) {}

    /** The calls that the thread's last run left and that nobody has answered: what older ones left has been passed by. */
    List<String> openCalls(ThreadId thread) {
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

    /** The run that brought the result of a call that an earlier one had left; of several the latest. */
    Optional<Run> thatAnswered(ThreadId thread, String call) {
        return one("""
            thread_id = :thread and task_id = (
                select answered_by from open_calls
                where thread_id = :thread and call_id = :call and answered_by is not null
                order by task_id desc limit 1)\
            """, Map.of("thread", thread.value(), "call", call));
    }

    List<LeftCall> openCalls(ThreadId thread, Collection<String> calls) {
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

    Map<String, Actor> startersOf(ThreadId thread, Collection<String> runs) {
        return database.read(handle -> handle.createQuery(
                        "select run_id, started_by from runs where thread_id = :thread and run_id = any (:runs)")
                .bind("thread", thread.value())
                .bindArray("runs", String.class, runs.toArray())
                .map((row, context) -> Map.entry(row.getString("run_id"), new Actor(row.getString("started_by"))))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    Set<String> openCallsOf(UUID task, ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
            select call_id from open_calls
            where thread_id = :thread and task_id = :task and answered_by is null\
            """)
                .bind("thread", thread.value())
                .bind("task", task)
                .mapTo(String.class)
                .set());
    }

    Set<String> callsAnsweredBy(UUID task) {
        return database.read(handle -> handle.createQuery("select call_id from open_calls where answered_by = :task")
                .bind("task", task)
                .mapTo(String.class)
                .set());
    }

    /**
     * Finished runs whose events are still as they were written, or old enough to go: this node's share of them, since
     * all nodes look. Two that disagree on who is there do some twice, or later, which does no harm.
     */
    List<Run> toPutAway(UUID node, int stored, Duration after, int limit) {
        return database.read(handle -> handle.createQuery("""
            with alive as materialized (
                select node_id, row_number() over (order by node_id) - 1 as place, count(*) over () as all_of_them
                from nodes where alive_until > now())
            select <columns> from runs r, alive
            where alive.node_id = :node and ended_at is not null and root is null and stored = :stored
                and ended_at < now() - :after::interval
                and abs(hashtext(task_id::text)::bigint) % alive.all_of_them = alive.place
            order by ended_at limit :limit\
            """.replace("<columns>", columns("r")))
                .bind("node", node)
                .bind("stored", stored)
                .bind("after", interval(after))
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
    }

    void putAway(List<UUID> tasks, int stored) {
        database.transact(handle -> handle.createUpdate("update runs set stored = :stored where task_id = any (:tasks)")
                .bind("stored", stored)
                .bindArray("tasks", UUID.class, tasks.toArray())
                .execute());
    }

    static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }

    static Run read(ResultSet row) throws SQLException {
        return new Run(
                row.getObject("task_id", UUID.class),
                new ThreadId(row.getObject("thread_id", UUID.class)),
                row.getString("run_id"),
                new Actor(row.getString("agent")),
                new Actor(row.getString("started_by")),
                Run.Driver.valueOf(row.getString("driver").toUpperCase(Locale.ROOT)),
                Run.Origin.valueOf(row.getString("origin").toUpperCase(Locale.ROOT)),
                MultitaskStrategy.valueOf(row.getString("strategy").toUpperCase(Locale.ROOT)),
                row.getObject("parent", UUID.class),
                row.getObject("root", UUID.class),
                state(row),
                row.getString("ending"),
                Arrays.asList((Long[]) row.getArray("triggers").getArray()),
                row.getObject("reads_to", Long.class),
                row.getLong("created_position"),
                row.getObject("first_position", Long.class),
                row.getObject("last_position", Long.class),
                row.getLong("next_event"),
                row.getString("outcome"),
                row.getString("error_code"),
                row.getString("error_message"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "started_at"),
                instant(row, "ended_at"),
                row.getInt("attempts"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static RunState state(ResultSet row) throws SQLException {
        int epoch = row.getInt("epoch");
        int attempts = row.getInt("attempts");
        String state = row.getString("state");
        return switch (state) {
            case "queued" -> new RunState.Queued(epoch, attempts);
            case "running" -> {
                UUID holder = row.getObject("holder", UUID.class);
                yield new RunState.Running(
                        epoch, attempts, row.getObject("node", UUID.class), holder == null ? new UUID(0, 0) : holder);
            }
            case "waiting" -> new RunState.Waiting(epoch, attempts);
            default -> new RunState.Over(RunState.Ending.valueOf(state.toUpperCase(Locale.ROOT)), epoch);
        };
    }
}
