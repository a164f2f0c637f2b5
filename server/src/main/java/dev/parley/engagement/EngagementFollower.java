package dev.parley.engagement;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Follower;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.ThreadFactsCache;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides for every message which agents of its thread should answer it. The participation mode decides about messages
 * from people. A message from an agent is answered only if it mentions an agent. A message from the system is never
 * answered. Two agents cannot keep each other busy for ever, because there are limits to the hops since the last human
 * message and to the answers that agents start within five minutes. Beyond a limit the message is stored, no agent is
 * engaged, and the reason is stored with the message.
 */
public final class EngagementFollower implements Follower<EngagementFollower.Surroundings> {
    static final int MAX_HOPS = 3;
    static final int MAX_AGENT_STARTED_RUNS = 10;

    /**
     * An agent in a thread.
     *
     * @param mode the condition under which the agent answers
     * @param active false for an agent that was switched off
     * @param executed true for an agent that the server runs
     */
    record AgentMember(Actor agent, ParticipationMode mode, boolean active, boolean executed) {
        AgentMember(Actor agent, ParticipationMode mode, boolean active) {
            this(agent, mode, active, false);
        }
    }

    /**
     * The state of a thread before this batch.
     *
     * @param agents the thread's agents
     * @param recent the last senders, the newest first; not read for human messages
     * @param agentStarted the number of answers that agents started within the last minutes; not read for human
     *     messages
     * @param waiting by agent: the run that a message started and that has not begun; further messages join this run
     */
    record Surrounding(
            List<AgentMember> agents, List<MessageSender> recent, int agentStarted, Map<Actor, Run> waiting) {
        Surrounding(List<AgentMember> agents, List<Actor> recent, int agentStarted) {
            this(agents, recent.stream().map(MessageSender::of).toList(), agentStarted, Map.of());
        }
    }

    /** The surroundings of threads that have agents. */
    record Surroundings(Map<ThreadId, Surrounding> threads) {}

    private final ThreadFactsCache facts;
    private final RunMemory runs;

    public EngagementFollower(ThreadFactsCache facts, RunMemory runs) {
        this.facts = facts;
        this.runs = runs;
    }

    @Override
    public Surroundings read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        return SurroundingQuery.read(source, heads, facts.read(source, heads), commands, runs);
    }

    @Override
    public Consequences over(Surroundings facts) {
        return new BatchTurns(facts);
    }

    /** Counts the turns of its batch in order, for the limits of hops and answers. */
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
            RunIdentity opened = StartedRuns.openedBy(command);
            if (opened != null) {
                return StartedRuns.engagedByRun(thread == null ? List.of() : thread.agents, opened);
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
            return runs == null || isUnanswered(command) || StartedRuns.openedBy(command) != null
                    ? List.of()
                    : runs.follow(entry);
        }

        /** True if the command's message must not be answered. */
        private static boolean isUnanswered(Command command) {
            return command.changes().stream()
                    .anyMatch(change -> change instanceof Change.Apply(Effect effect) && effect.unanswered());
        }
    }

    /** The turns of one thread. */
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
         * Counts a message. Consecutive messages of one author are one turn: an agent that answers in three messages
         * hops once. Messages of the system are no turn.
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

        /** Counts a turn that no agent answers. */
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
