package dev.parley.engagement;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Follower;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.ThreadFactsCache;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides for every message which agents of its thread should answer it. People are answered according to the mode, agents
 * only when they mention somebody, the system never; and two agents cannot keep each other busy for ever: there are only
 * so many hops since the last human message, and only so many agent-started answers in five minutes. Nothing is dropped
 * for that: the message is stored, nobody is engaged, and the reason stands beside it.
 */
public final class EngagementFollower implements Follower<EngagementFollower.Surroundings> {
    static final int MAX_HOPS = 3;
    static final int MAX_AGENT_STARTED_RUNS = 10;

    /** An agent in a thread, when it answers there, whether it answers at all, and whether it is we who run it. */
    record AgentMember(Actor agent, ParticipationMode mode, boolean active, boolean executed) {
        AgentMember(Actor agent, ParticipationMode mode, boolean active) {
            this(agent, mode, active, false);
        }
    }

    /**
     * What happened in a thread before this batch.
     *
     * @param agents its agents
     * @param recent who spoke last, the newest first; not needed for human messages
     * @param agentStarted how many answers agents started within the last minutes; not needed for human messages
     * @param waiting runs that messages started and that have not begun: further messages join them
     */
    record Surrounding(
            List<AgentMember> agents, List<MessageSender> recent, int agentStarted, Map<Actor, Run> waiting) {
        Surrounding(List<AgentMember> agents, List<Actor> recent, int agentStarted) {
            this(agents, recent.stream().map(MessageSender::of).toList(), agentStarted, Map.of());
        }
    }

    /** The surroundings of threads that have agents. */
    public record Surroundings(Map<ThreadId, Surrounding> threads) {}

    private final ThreadFactsCache facts;

    public EngagementFollower(ThreadFactsCache facts) {
        this.facts = facts;
    }

    @Override
    public Surroundings read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return SurroundingQuery.read(connection, facts.read(connection, heads), commands);
    }

    @Override
    public Consequences over(Surroundings facts) {
        return new BatchTurns(facts);
    }

    /** Counts the turns of its batch, so that hops and budgets are counted in order. */
    private static final class BatchTurns implements Consequences {
        private final Map<ThreadId, Turns> turns = new HashMap<>();
        private final Map<ThreadId, StartedRuns> started = new HashMap<>();

        BatchTurns(Surroundings facts) {
            facts.threads().forEach((thread, surrounding) -> {
                turns.put(thread, new Turns(surrounding));
                started.put(thread, new StartedRuns(surrounding));
            });
        }

        @Override
        public List<Engagement> engage(Command command, Entry entry) {
            if (entry.content().kind() != EntryKind.MESSAGE) {
                return List.of();
            }
            Turns thread = turns.get(entry.thread());
            RunIdentity asked = StartedRuns.askedBy(command);
            if (asked != null) {
                return StartedRuns.belonging(thread == null ? List.of() : thread.agents, asked);
            }
            if (thread == null) {
                return List.of();
            }
            return isUnanswered(command)
                    ? thread.pass(entry)
                    : Objects.requireNonNull(started.get(entry.thread())).name(entry, thread.next(entry));
        }

        @Override
        public List<Change> follow(Command command, Entry entry) {
            StartedRuns runs = started.get(entry.thread());
            return runs == null || isUnanswered(command) || StartedRuns.askedBy(command) != null
                    ? List.of()
                    : runs.follow(entry);
        }

        /** Whether it brings what nobody shall answer. */
        private static boolean isUnanswered(Command command) {
            return command.changes().stream()
                    .anyMatch(change -> change instanceof Change.Apply(Effect effect) && effect.unanswered());
        }
    }

    /** One thread's turns, as they go on. */
    private static final class Turns {
        private final List<AgentMember> agents;
        private Actor lastAuthor;
        private int hops;
        private int agentStarted;

        Turns(Surrounding surrounding) {
            this.agents = surrounding.agents();
            this.agentStarted = surrounding.agentStarted();
            this.lastAuthor = Actor.SYSTEM;
            for (MessageSender sender : surrounding.recent().reversed()) {
                turn(sender);
            }
        }

        /**
         * A turn is a stretch of messages by one author: an agent that answers in three messages hops once. What the
         * system says in between is nobody's turn.
         */
        private void turn(MessageSender sender) {
            switch (sender.kind()) {
                case PERSON -> hops = 0;
                case MACHINE -> hops += sender.actor().equals(lastAuthor) ? 0 : 1;
                case SYSTEM -> {
                    return;
                }
            }
            lastAuthor = sender.actor();
        }

        /** A turn that nobody answers. */
        List<Engagement> pass(Entry entry) {
            turn(MessageSender.of(entry.content()));
            return agents.stream()
                    .map(member -> new Engagement(member.agent(), false, "passive"))
                    .toList();
        }

        List<Engagement> next(Entry entry) {
            MessageSender sender = MessageSender.of(entry.content());
            turn(sender);
            List<Engagement> engaged = new ArrayList<>(agents.size());
            for (AgentMember member : agents) {
                boolean mentioned = entry.content().mentions().contains(member.agent());
                Engagement engagement = after(member, sender, mentioned);
                if (engagement.respond() && sender.kind() == MessageSender.Kind.MACHINE) {
                    agentStarted++;
                }
                engaged.add(engagement);
            }
            return engaged;
        }

        private Engagement after(AgentMember member, MessageSender sender, boolean mentioned) {
            if (!member.active()) {
                return new Engagement(member.agent(), false, "inactive");
            }
            if (sender.passive()) {
                return new Engagement(member.agent(), false, "passive");
            }
            return switch (sender.kind()) {
                case PERSON -> afterHuman(member, mentioned);
                case MACHINE -> afterAgent(member, sender.actor(), mentioned);
                case SYSTEM -> new Engagement(member.agent(), false, "system_message");
            };
        }

        private static Engagement afterHuman(AgentMember member, boolean mentioned) {
            if (mentioned) {
                return new Engagement(member.agent(), true, "mentioned");
            }
            return switch (member.mode()) {
                case OPEN -> new Engagement(member.agent(), true, "open");
                case INVOCATION_ONLY -> new Engagement(member.agent(), false, "not_mentioned");
            };
        }

        private Engagement afterAgent(AgentMember member, Actor author, boolean mentioned) {
            if (member.agent().equals(author)) {
                return new Engagement(member.agent(), false, "own_message");
            }
            if (!mentioned) {
                return new Engagement(member.agent(), false, "agent_not_mentioned");
            }
            if (hops >= MAX_HOPS) {
                return new Engagement(member.agent(), false, "hop_limit");
            }
            if (agentStarted >= MAX_AGENT_STARTED_RUNS) {
                return new Engagement(member.agent(), false, "agent_budget");
            }
            return new Engagement(member.agent(), true, "mentioned");
        }
    }
}
