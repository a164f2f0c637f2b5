package dev.parley.face.owner;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.CreationKey;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.AgentPage;
import dev.parley.protocol.chat.AgentTokenPage;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.Status;
import java.util.Set;
import java.util.UUID;

/** The routes of agents and tokens, for their owners. */
public final class OwnerFace {
    private final Agents agents;
    private final AgentTokens tokens;
    private final OwnerRequests requests;
    private final Limits.Requests limits;

    /**
     * @param secrets the secrets that an agent's configuration may refer to
     * @param toolServers the tool servers that an agent's configuration may refer to
     */
    public OwnerFace(
            Agents agents, AgentTokens tokens, Limits.Requests limits, Secrets secrets, Set<String> toolServers) {
        this.agents = agents;
        this.tokens = tokens;
        this.requests = new OwnerRequests(limits, secrets, toolServers);
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String agent = "/api/v1/owner/agents/{agent_id}";
        String token = "/api/v1/owner/external-agents/tokens";
        long body = limits.body();
        routes.post("/api/v1/owner/agents", body, Unrated.BY_HANDLER, this::createAgent)
                .get("/api/v1/owner/agents", Unrated.BY_HANDLER, this::listAgents)
                .get(agent, Unrated.BY_HANDLER, this::showAgent)
                .patch(agent, body, Unrated.BY_HANDLER, this::changeAgent)
                .delete(agent, Unrated.BY_HANDLER, this::deleteAgent)
                .post(token, body, Unrated.BY_HANDLER, this::createToken)
                .get(token, Unrated.BY_HANDLER, this::listTokens)
                .delete(token + "/{token_id}", Unrated.BY_HANDLER, this::revokeToken);
    }

    private Answer createAgent(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.THREAD_OPERATION);
        Agents.AgentChange wish = requests.newAgent(owner, call.json(NewAgent.class));
        RegisteredAgent made = agents.create(owner, wish, CreationKey.of(call, "agents", wish, limits.opaqueId()));
        return Answer.created(OwnerViews.agent(made));
    }

    private Answer listAgents(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.POLL);
        return Answer.ok(
                new AgentPage(agents.list(owner).stream().map(OwnerViews::agent).toList()));
    }

    private Answer showAgent(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.POLL);
        return Answer.ok(OwnerViews.agent(agents.requireOwned(owner, agentId(call))));
    }

    private Answer changeAgent(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.THREAD_OPERATION);
        UUID id = agentId(call);
        NewAgent wanted = call.json(NewAgent.class);
        Agents.AgentChange wish = requests.change(owner, agents.requireOwned(owner, id), wanted);
        return Answer.ok(OwnerViews.agent(agents.update(owner, id, wish)));
    }

    private Answer deleteAgent(Call<Principal> call) {
        agents.delete(owner(call, Rate.THREAD_OPERATION), agentId(call));
        return Answer.ok(new Status("ok"));
    }

    private Answer createToken(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.THREAD_OPERATION);
        NewAgentToken wanted = call.json(NewAgentToken.class);
        AgentTokens.TokenRequest wish = requests.wish(wanted);
        AgentTokens.CreatedToken made =
                tokens.create(owner.actor(), wish, CreationKey.of(call, "agent-tokens", wish, limits.opaqueId()));
        // A repeated creation gets a status of its own, because only the first response contains the secret, which is
        // not stored.
        return Answer.of(made.raw() == null ? 200 : 201, OwnerViews.token(made.token(), made.raw()));
    }

    private Answer listTokens(Call<Principal> call) {
        Principal.User owner = owner(call, Rate.POLL);
        return Answer.ok(new AgentTokenPage(tokens.list(owner.actor()).stream()
                .map(token -> OwnerViews.token(token, null))
                .toList()));
    }

    private Answer revokeToken(Call<Principal> call) {
        UUID token = UuidV7.parseCanonical(call.path("token_id"))
                .orElseThrow(() -> new ProblemException(Problem.TOKEN_NOT_FOUND, "You have no such token."));
        tokens.revoke(owner(call, Rate.THREAD_OPERATION).actor(), token);
        return Answer.ok(new Status("ok"));
    }

    /**
     * The caller as an owner; only users own agents. The call is counted after this check, so that other callers are
     * refused and not counted.
     */
    private static Principal.User owner(Call<Principal> call, Rate rate) {
        if (call.caller() instanceof Principal.User user) {
            call.count(rate);
            return user;
        }
        throw new ProblemException(Problem.FORBIDDEN, "Only a user can own agents and tokens.");
    }

    private static UUID agentId(Call<Principal> call) {
        return UuidV7.parseCanonical(call.path("agent_id"))
                .orElseThrow(() -> new ProblemException(Problem.AGENT_NOT_FOUND, "There is no such agent."));
    }
}
