package dev.parley.engagement;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.storage.SqlArrays;
import dev.parley.threads.ThreadFacts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/** Reads the facts of engagement: the agents of the batch's threads, and the last turns for messages of agents. */
final class SurroundingQuery {
    /** The number of last messages in which hops and agent-started answers are counted. */
    private static final int MESSAGES = 200;
    /** Number of entries to search for those messages. */
    private static final int ENTRIES = 1_000;

    /** A thread's last messages with their authors, from the index alone, in a bounded number of steps. */
    private static final String RECENT = """
            select last.seq, last.author from (
                select e.seq, e.kind, e.author from entries e
                where e.thread_id = wanted.thread_id order by e.seq desc limit %d) as last
            where last.kind = 0 order by last.seq desc limit %d""".formatted(ENTRIES, MESSAGES);

    /**
     * The condition for an author on another platform. Only messages from such authors have the kind of sender in their
     * metadata.
     */
    private static final String IS_EXTERNAL =
            "found.author not like 'user:%' and found.author not like 'agent:%' and found.author not like 'system:%'";

    /**
     * The check for bots in {@link MessageSender#of(dev.parley.log.EntryContent)}, as a condition for a stored message.
     */
    private static final String IS_BOT =
            "e.metadata ->> 'sender_type' = 'bot' and coalesce(e.metadata ->> 'is_from_me', '') <> 'true'";

    private SurroundingQuery() {}

    static EngagementFollower.Surroundings read(
            FactSource source,
            Collection<Head> heads,
            Map<ThreadId, ThreadFacts> facts,
            List<Command> commands,
            RunMemory memory)
            throws SQLException {
        Map<ThreadId, List<EngagementFollower.AgentMember>> agents = new HashMap<>();
        facts.forEach((thread, each) -> {
            List<EngagementFollower.AgentMember> own = agents(each);
            if (!own.isEmpty()) {
                agents.put(thread, own);
            }
        });
        // Earlier messages do not matter for a human message, nor for a machine's message without mentions.
        List<ThreadId> threads = commands.stream()
                .filter(command -> hasMessage(command, SurroundingQuery::isMentioningMachine))
                .map(Command::thread)
                .filter(agents::containsKey)
                .distinct()
                .toList();
        Map<ThreadId, List<MessageSender>> senders =
                threads.isEmpty() ? Map.of() : recentSenders(source.connection(), threads);
        Map<ThreadId, Integer> started = threads.isEmpty() ? Map.of() : agentStarted(source.connection(), threads);
        Map<ThreadId, List<Run>> unfinished = memory.unfinished(source, heads, executing(agents, commands));
        Map<ThreadId, EngagementFollower.Surrounding> surroundings = new HashMap<>();
        agents.forEach((thread, members) -> surroundings.put(
                thread,
                new EngagementFollower.Surrounding(
                        members,
                        senders.getOrDefault(thread, List.of()),
                        started.getOrDefault(thread, 0),
                        StartedRuns.joinable(unfinished.getOrDefault(thread, List.of())))));
        return new EngagementFollower.Surroundings(surroundings);
    }

    private static boolean hasMessage(Command command, Predicate<EntryContent> condition) {
        return command.changes().stream()
                .anyMatch(change -> change instanceof Change.Append(Draft draft) && condition.test(draft.content()));
    }

    private static boolean isMentioningMachine(EntryContent content) {
        return !content.mentions().isEmpty() && MessageSender.of(content).kind() == MessageSender.Kind.MACHINE;
    }

    /** True if an agent may answer; a machine's message without mentions is not answered. */
    private static boolean mayBeAnswered(EntryContent content) {
        return content.kind() == EntryKind.MESSAGE
                && (!content.mentions().isEmpty() || MessageSender.of(content).kind() == MessageSender.Kind.PERSON);
    }

    /** The threads with messages that may start a run. */
    private static List<ThreadId> executing(
            Map<ThreadId, List<EngagementFollower.AgentMember>> agents, List<Command> commands) {
        return commands.stream()
                // A message with a run of its own is answered by that run.
                .filter(command -> StartedRuns.openedBy(command) == null)
                .filter(command -> hasMessage(command, SurroundingQuery::mayBeAnswered))
                .map(Command::thread)
                .filter(thread -> agents.getOrDefault(thread, List.of()).stream()
                        .anyMatch(EngagementFollower.AgentMember::executed))
                .distinct()
                .toList();
    }

    private static List<EngagementFollower.AgentMember> agents(ThreadFacts facts) {
        List<EngagementFollower.AgentMember> agents = new ArrayList<>();
        facts.members().forEach((actor, member) -> {
            if (actor.kind() == Actor.Kind.AGENT) {
                agents.add(new EngagementFollower.AgentMember(
                        actor,
                        Objects.requireNonNullElse(member.mode(), facts.mode()),
                        member.active(),
                        member.executed()));
            }
        });
        agents.sort(Comparator.comparing(member -> member.agent().value()));
        return agents;
    }

    private static Map<ThreadId, List<MessageSender>> recentSenders(Connection connection, List<ThreadId> threads)
            throws SQLException {
        String sql = """
                select wanted.thread_id, found.author, case when %2$s then (
                    select %3$s from entries e where e.thread_id = wanted.thread_id and e.seq = found.seq) end as bot
                from unnest(?::uuid[]) as wanted (thread_id)
                cross join lateral (%1$s) as found
                order by wanted.thread_id, found.seq desc""".formatted(RECENT, IS_EXTERNAL, IS_BOT);
        Map<ThreadId, List<MessageSender>> result = new HashMap<>();
        query(
                connection,
                sql,
                threads,
                row -> result.computeIfAbsent(
                                new ThreadId(row.getObject("thread_id", UUID.class)), thread -> new ArrayList<>())
                        .add(MessageSender.of(new Actor(row.getString("author")), row.getBoolean("bot"))));
        return result;
    }

    private static Map<ThreadId, Integer> agentStarted(Connection connection, List<ThreadId> threads)
            throws SQLException {
        String sql = """
                select wanted.thread_id,
                    sum((select count(*) from json_array_elements(recent.engagement) as each
                        where (each ->> 'respond')::boolean))::int as started
                from unnest(?::uuid[]) as wanted (thread_id)
                cross join lateral (%1$s) as found
                -- one by one: a planner that is free to join walks through the whole thread
                cross join lateral (
                    select e.engagement, e.created_at from entries e
                    where e.thread_id = wanted.thread_id and e.seq = found.seq
                        and found.author not like 'user:%%' and (found.author like 'agent:%%' or (%2$s and %3$s))
                    limit 1) as recent
                where recent.created_at > now() - interval '5 minutes'
                    and recent.engagement is not null
                group by wanted.thread_id""".formatted(RECENT, IS_EXTERNAL, IS_BOT);
        Map<ThreadId, Integer> result = new HashMap<>();
        query(
                connection,
                sql,
                threads,
                row -> result.put(new ThreadId(row.getObject("thread_id", UUID.class)), row.getInt("started")));
        return result;
    }

    /** A reader of one row. */
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private static void query(Connection connection, String sql, List<ThreadId> threads, RowReader reader)
            throws SQLException {
        if (threads.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement).uuids(threads, ThreadId::value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }
}
