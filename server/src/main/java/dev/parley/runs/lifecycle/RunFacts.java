package dev.parley.runs.lifecycle;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.RunFence;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The facts about runs by which commands are judged, as of the heads of their threads.
 *
 * @param byTask the runs whose fences the batch's commands name
 * @param unfinished the unfinished runs of the threads in which runs are opened or begin to run, the oldest first
 * @param openInterrupts the interrupts that commands of the batch answer and that are still open
 * @param superseded the runs that end in the batch with an answer that a later run supersedes
 * @param liftable by run: the seqs whose supersession is lifted if the run ends in the batch without an answer
 * @param owners the owners of the runs that new runs of the batch displace
 * @param taken the names that commands of the batch give to new runs and that are already in use
 */
public record RunFacts(
        Map<UUID, Run> byTask,
        Map<ThreadId, List<Run>> unfinished,
        Set<Name> taken,
        Set<Name> openInterrupts,
        Set<UUID> superseded,
        Map<UUID, List<Long>> liftable,
        Map<RunOwners.Name, RunOwners> owners) {
    static final RunFacts NONE = new RunFacts(Map.of(), Map.of(), Set.of(), Set.of(), Set.of(), Map.of(), Map.of());

    private static final String TAKEN = """
            select wanted.thread_id, wanted.id
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select 1 from runs r where r.thread_id = wanted.thread_id and r.run_id = wanted.id limit 1) as found""";

    private static final String OPEN_INTERRUPTS = """
            select wanted.thread_id, wanted.id
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select 1 from interrupts i
                where i.thread_id = wanted.thread_id and i.interrupt_id = wanted.id and i.answered_by is null
                limit 1) as found""";

    /** A client's name for a run or a question of a thread. */
    public record Name(ThreadId thread, String id) {}

    static RunFacts of(FactSource source, Map<ThreadId, Head> heads, List<Command> commands, RunMemory memory)
            throws SQLException {
        Map<UUID, Run> byTask = new HashMap<>();
        Set<UUID> tasks = new TreeSet<>();
        Set<ThreadId> threads = new HashSet<>();
        List<Name> names = new ArrayList<>();
        List<Name> interrupts = new ArrayList<>();
        Set<UUID> answering = new TreeSet<>();
        Set<UUID> lifting = new TreeSet<>();
        for (Command command : commands) {
            RunFence fence = command.fence();
            if (fence != null) {
                Optional<Run> known = Optional.ofNullable(heads.get(command.thread()))
                        .flatMap(head -> memory.find(head, fence.run()));
                known.ifPresentOrElse(run -> byTask.put(run.taskId(), run), () -> tasks.add(fence.run()));
            }
            for (RunEffect effect : changes(command)) {
                if (effect instanceof RunEffect.Opened opened) {
                    names.add(new Name(command.thread(), opened.run().runId()));
                    threads.add(command.thread());
                } else if (effect instanceof RunEffect.RequireNotSuperseded ends) {
                    Head head = heads.get(command.thread());
                    if (head == null || !memory.isNewest(head, ends.task())) {
                        answering.add(ends.task());
                    }
                } else if (effect instanceof RunEffect.RequireSuperseded ends) {
                    answering.add(ends.task());
                } else if (effect instanceof RunEffect.Lifted lifted) {
                    lifting.add(lifted.task());
                } else if (effect instanceof RunEffect.QuestionsAnswered answered) {
                    answered.interrupts().forEach(id -> interrupts.add(new Name(command.thread(), id)));
                } else if (effect instanceof RunEffect.Moved moved && moved.to() instanceof RunState.Running) {
                    threads.add(command.thread());
                }
            }
        }
        if (tasks.isEmpty() && byTask.isEmpty() && names.isEmpty()) {
            return NONE;
        }
        Map<ThreadId, List<Run>> unfinished = memory.unfinished(source, heads.values(), threads);
        Set<RunOwners.Name> displaced = displaced(commands, unfinished);
        byTask.putAll(tasks.isEmpty() ? Map.of() : byTask(source.connection(), tasks));
        return new RunFacts(
                byTask,
                unfinished,
                source.isMemory() ? Set.of() : existing(source, TAKEN, names),
                existing(source, OPEN_INTERRUPTS, interrupts),
                answering.isEmpty() ? Set.of() : Supersession.superseded(source.connection(), answering),
                lifting.isEmpty() ? Map.of() : Supersession.liftable(source.connection(), lifting),
                displaced.isEmpty() ? Map.of() : RunOwners.read(source.connection(), displaced));
    }

    /** The runs that new runs displace. */
    private static Set<RunOwners.Name> displaced(List<Command> commands, Map<ThreadId, List<Run>> unfinished) {
        Set<RunOwners.Name> displaced = new HashSet<>();
        for (Command command : commands) {
            for (RunEffect effect : changes(command)) {
                if (effect instanceof RunEffect.Opened opened) {
                    unfinished.getOrDefault(command.thread(), List.of()).stream()
                            .filter(run -> run.isDisplacedBy(
                                    opened.run().agent(), opened.run().strategy()))
                            .forEach(run -> displaced.add(RunOwners.Name.of(run)));
                }
            }
        }
        return displaced;
    }

    public static List<RunEffect> changes(Command command) {
        return command.changes().stream()
                .filter(Change.Apply.class::isInstance)
                .map(change -> ((Change.Apply) change).effect())
                .filter(RunEffect.class::isInstance)
                .map(RunEffect.class::cast)
                .toList();
    }

    private static Map<UUID, Run> byTask(Connection connection, Collection<UUID> tasks) throws SQLException {
        if (tasks.isEmpty()) {
            return Map.of();
        }
        // Laterals with limits keep PostgreSQL from scanning a table that was never analysed.
        return runs(connection, """
                        select <columns> from unnest(?::uuid[]) as wanted (task_id)
                        cross join lateral (select * from runs where task_id = wanted.task_id limit 1) as r""", tasks).stream().collect(Collectors.toMap(Run::taskId, run -> run));
    }

    /** The unfinished runs of these threads. */
    public static Map<ThreadId, List<Run>> unfinished(Connection connection, Collection<ThreadId> threads)
            throws SQLException {
        if (threads.isEmpty()) {
            return Map.of();
        }
        return runs(connection, """
                        select <columns> from unnest(?::uuid[]) as wanted (thread_id)
                        cross join lateral (
                            select * from runs
                            where thread_id = wanted.thread_id and state in ('queued', 'running', 'waiting')
                                and root is null
                            order by thread_id, agent, created_position limit 2000) as r
                        order by r.created_position, r.task_id""", threads.stream().map(ThreadId::value).toList()).stream()
                .collect(Collectors.groupingBy(Run::thread));
    }

    private static Set<Name> existing(FactSource source, String sql, List<Name> names) throws SQLException {
        if (names.isEmpty()) {
            return Set.of();
        }
        Connection connection = source.connection();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(names, name -> name.thread().value())
                    .texts(names, Name::id);
            Set<Name> existing = new HashSet<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    existing.add(new Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)));
                }
            }
            return existing;
        }
    }

    private static List<Run> runs(Connection connection, String sql, Collection<UUID> ids) throws SQLException {
        List<Run> runs = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement(sql.replace("<columns>", RunRows.columns("r")))) {
            new SqlArrays(connection, statement).uuids(ids, id -> id);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    runs.add(RunRows.read(row));
                }
            }
        }
        return runs;
    }
}
