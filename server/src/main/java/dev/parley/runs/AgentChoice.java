package dev.parley.runs;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ForwardedProps;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.ThreadSnapshot;
import java.util.Optional;

/** Chooses the agent that answers a run. */
final class AgentChoice {
    private final RunStore store;
    private final Agents agents;
    private final AgentTokens tokens;
    private final Actor defaultAgent;

    AgentChoice(RunStore store, Agents agents, AgentTokens tokens, Actor defaultAgent) {
        this.store = store;
        this.agents = agents;
        this.tokens = tokens;
        this.defaultAgent = defaultAgent;
    }

    /**
     * The agent named in the options, else the agent whose question is decided, else the thread's agent, else the
     * server's default. An external agent without a driver is refused.
     */
    RegisteredAgent agentFor(Principal caller, RunOptions options, Optional<ThreadRoster> known, RunAgentInput input) {
        RegisteredAgent agent = chosen(caller, options, known, input);
        if (agent.kind() == RegisteredAgent.Kind.EXTERNAL && !tokens.canDrive(agent.id())) {
            throw new ProblemException(
                    Problem.NO_DRIVER,
                    "Agent " + agent.displayName() + " has no live token with the scope run, so no driver can answer"
                            + " for it; create a token, or name another agent in "
                            + ForwardedProps.path(ForwardedProps.AGENT_ID) + ".");
        }
        return agent;
    }

    private RegisteredAgent chosen(
            Principal caller, RunOptions options, Optional<ThreadRoster> known, RunAgentInput input) {
        if (options.agentId() != null) {
            return agents.requireUsable(caller, ForwardedProps.path(ForwardedProps.AGENT_ID), options.agentId());
        }
        Optional<RegisteredAgent> asking = known.flatMap(roster -> asking(roster, input));
        if (asking.isPresent()) {
            return asking.get();
        }
        Optional<RegisteredAgent> own = known.stream()
                .flatMap(roster -> roster.members().stream())
                .map(ThreadSnapshot.Member::actor)
                .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                .map(agents::find)
                .flatMap(Optional::stream)
                .filter(RegisteredAgent::active)
                .findFirst();
        return own.isPresent() ? own.get() : agents.requireUsable(caller, defaultAgent);
    }

    private Optional<RegisteredAgent> asking(ThreadRoster roster, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return Optional.empty();
        }
        String first = input.resume().getFirst().interruptId();
        return store.openInterrupts(roster.id()).stream()
                .filter(interrupt -> interrupt.question().id().equals(first))
                .findFirst()
                .flatMap(interrupt -> agents.find(interrupt.agent()))
                .filter(RegisteredAgent::active)
                .filter(agent -> roster.member(agent.actor()).isPresent());
    }
}
