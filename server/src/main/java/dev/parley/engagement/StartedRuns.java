package dev.parley.engagement;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.protocol.Actor;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunIdentity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs that messages of one thread start, one for each answering agent that the server executes. If earlier
 * messages started a run of the agent and this run has not begun, the message joins the run. Ids are derived from the
 * message's salted digest, because the decision must stay pure.
 */
final class StartedRuns {
    private final Set<Actor> executed;
    private final Map<Actor, Waiting> waiting = new HashMap<>();

    /** A run that has not begun; a fresh one is not stored yet. */
    private record Waiting(UUID task, String runId, boolean fresh) {}

    StartedRuns(EngagementFollower.Surrounding surrounding) {
        this.executed = surrounding.agents().stream()
                .filter(EngagementFollower.AgentMember::executed)
                .map(EngagementFollower.AgentMember::agent)
                .collect(Collectors.toSet());
        surrounding
                .waiting()
                .forEach((agent, run) -> waiting.put(agent, new Waiting(run.taskId(), run.runId(), false)));
    }

    /** The run that a command itself opens; null for none. */
    static @Nullable RunIdentity openedBy(Command command) {
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(Effect effect) && effect instanceof RunEffect.Opened opened) {
                return opened.run();
            }
        }
        return null;
    }

    /** The engagement of a message that only the run of the same command answers. */
    static List<Engagement> engagedByRun(List<EngagementFollower.AgentMember> agents, RunIdentity run) {
        List<Engagement> engaged = new ArrayList<>();
        engaged.add(new Engagement(run.agent(), true, "run", run.runId()));
        for (EngagementFollower.AgentMember member : agents) {
            if (!member.agent().equals(run.agent())) {
                engaged.add(new Engagement(member.agent(), false, "belongs_to_run"));
            }
        }
        return engaged;
    }

    /** The decisions with the names of the answering runs. */
    List<Engagement> name(Entry entry, List<Engagement> decided) {
        List<Engagement> named = new ArrayList<>(decided.size());
        for (Engagement each : decided) {
            boolean runs = each.respond() && executed.contains(each.agent());
            named.add(runs ? each.by(runFor(entry, each.agent()).runId()) : each);
        }
        return named;
    }

    private Waiting runFor(Entry entry, Actor agent) {
        return waiting.computeIfAbsent(agent, key -> {
            UUID task = taskFor(entry, agent);
            return new Waiting(task, "run_" + task, true);
        });
    }

    /** An id that sorts by time like other ids, and is as random as the entry's salt. */
    private static UUID taskFor(Entry entry, Actor agent) {
        ByteBuffer hash = ByteBuffer.wrap(entry.digest().derive(agent.value()).bytes());
        long random = hash.getLong();
        long high = (entry.createdAt().toEpochMilli() << 16) | 0x7000L | (random & 0x0FFFL);
        return new UUID(high, (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
    }

    List<Change> follow(Entry entry) {
        List<Change> changes = new ArrayList<>();
        for (Engagement each : entry.engagement()) {
            Waiting run = each.run() == null ? null : waiting.get(each.agent());
            if (run != null && run.fresh()) {
                changes.addAll(RunBirth.byMessage(entry, each.agent(), run.task(), run.runId()));
                waiting.put(each.agent(), new Waiting(run.task(), run.runId(), false));
            } else if (run != null) {
                changes.add(new Change.Apply(new RunEffect.Joined(entry.thread(), run.task(), entry.seq())));
            }
        }
        return changes;
    }

    /** The runs that further messages may join, by agent. */
    static Map<Actor, Run> joinable(List<Run> unfinished) {
        Map<Actor, Run> joinable = new HashMap<>();
        for (Run run : unfinished) {
            if (run.isJoinable()) {
                joinable.putIfAbsent(run.agent(), run);
            }
        }
        return joinable;
    }
}
