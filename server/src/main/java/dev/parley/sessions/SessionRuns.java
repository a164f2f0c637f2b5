package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.RunCancellation;
import dev.parley.runs.Runs;
import dev.parley.runs.external.DriverPost;
import dev.parley.runs.external.DriverStatus;
import dev.parley.runs.external.EventLanguage;
import dev.parley.runs.external.ExternalDriver;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadRoster;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Agno runs that are streamed into their session as they happen, and that the session's callers can stop. */
public final class SessionRuns {
    private static final EventLanguage AGNO = new AgnoDialect();

    private final SessionThreads sessions;
    private final SessionAgents agents;
    private final SessionAuthors authors;
    private final ThreadAccess access;
    private final Runs runs;
    private final Clock clock;

    SessionRuns(
            SessionThreads sessions,
            SessionAgents agents,
            SessionAuthors authors,
            ThreadAccess access,
            Runs runs,
            Clock clock) {
        this.sessions = sessions;
        this.agents = agents;
        this.authors = authors;
        this.access = access;
        this.runs = runs;
        this.clock = clock;
    }

    /** The agent that runs, by its client's names. */
    public record Runner(
            SessionAgents.AgentNames agent, @Nullable String parentRunId) {}

    /** Accepts events of a run. The first events open the run, and create a missing session. */
    public DriverStatus post(Principal caller, String sessionId, String runId, Runner given, DriverPost post) {
        caller.requirePlace();
        caller.requireScope(Capability.CAN_RUN);
        post.requireReadable(AGNO);
        Runner runner = named(caller, runId, given, post);
        ThreadId thread = post.isFirst() ? threadFor(caller, sessionId, runner) : sessions.require(caller, sessionId);
        return runs.external()
                .post(
                        new ExternalDriver(
                                caller,
                                AGNO,
                                run -> run.agent().equals(caller.actor())
                                        || run.startedBy().equals(caller.actor()) && agents.has(caller, run.agent()),
                                () -> opening(caller, thread, runId, runner)),
                        thread,
                        runId,
                        post);
    }

    /**
     * Agno's events name their agent, so a post need not name it. If a post with an agent's own token has no name, that
     * agent is meant.
     */
    private static Runner named(Principal caller, String runId, Runner given, DriverPost post) {
        if (caller instanceof Principal.Agent || !given.agent().isEmpty()) {
            return given;
        }
        return post.events().stream()
                .map(AgnoEvent::new)
                .filter(event -> event.owner(runId) == null)
                .map(event -> new SessionAgents.AgentNames(
                        event.agentId().orElse(null),
                        event.label("agent_name").orElse(null),
                        event.label("team_name").orElse(null)))
                .filter(agent -> !agent.isEmpty())
                .findFirst()
                .map(agent -> new Runner(agent, given.parentRunId()))
                .orElse(given);
    }

    /** Checks every right before the session is created, so that a refusal leaves no session. */
    private ThreadId threadFor(Principal caller, String sessionId, Runner runner) {
        return sessions.find(caller, sessionId).filter(sessions::isMade).orElseGet(() -> {
            caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
            agents.of(caller, runner.agent());
            return sessions.open(caller, sessionId, clock.instant());
        });
    }

    private ExternalDriver.Opening opening(Principal caller, ThreadId thread, String runId, Runner runner) {
        SessionAgents.AgentNames named = runner.agent();
        ThreadRoster now = access.requireAllowed(caller, thread, Capability.CAN_RUN);
        // The agent joins the session if possible; its events are accepted in any case.
        SessionAuthors.Roster roster = authors.rosterOf(caller, Optional.of(now), Set.of(runId));
        Actor agent = roster.agent(named);
        List<Change> along = new ArrayList<>(roster.joining(thread));
        along.add(new Change.Apply(new StreamEffect.Noted(
                thread,
                runId,
                caller.actor(),
                runner.parentRunId(),
                named.agentId(),
                named.agentName(),
                named.teamName(),
                null,
                null,
                null)));
        return new ExternalDriver.Opening(agent, runner.parentRunId(), along);
    }

    /**
     * The outcome of a stop.
     *
     * @param stopped the runs that the stop ended
     */
    public record Stopped(String status, List<String> stopped) {
        public Stopped {
            stopped = List.copyOf(stopped);
        }
    }

    /** @param runId null for all active runs of the session */
    public Stopped stop(Principal caller, String sessionId, @Nullable String runId) {
        caller.requirePlace();
        caller.requireScope(Capability.CAN_RUN);
        ThreadId thread = sessions.require(caller, sessionId);
        if (runId == null) {
            List<String> stopped = runs.cancellation().stopAll(caller, thread);
            return new Stopped(
                    wire(stopped.isEmpty() ? RunCancellation.Cancelled.FINISHED : RunCancellation.Cancelled.ACCEPTED),
                    stopped);
        }
        RunCancellation.Cancelled cancelled = runs.cancellation().cancel(caller, thread, runId);
        return new Stopped(
                wire(cancelled), cancelled == RunCancellation.Cancelled.ACCEPTED ? List.of(runId) : List.of());
    }

    private static String wire(RunCancellation.Cancelled cancelled) {
        return cancelled.name().toLowerCase(Locale.ROOT);
    }
}
