package dev.parley.sdk;

import dev.parley.protocol.chat.AgentPage;
import dev.parley.protocol.chat.AgentTokenPage;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.AgentView;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import java.util.List;

/** A user's agents, and the tokens of external agents. */
public final class Owner {
    private static final String AGENTS = "/api/v1/owner/agents";
    private static final String TOKENS = "/api/v1/owner/external-agents/tokens";

    private final Transport transport;

    Owner(Transport transport) {
        this.transport = transport;
    }

    /**
     * Creates an agent. The request is sent once. If no answer comes, {@link #agents} shows if the agent was created.
     */
    public AgentView createAgent(NewAgent agent) {
        return transport.call(Request.post(AGENTS, agent).once(), AgentView.class);
    }

    public List<AgentView> agents() {
        return transport.get(AGENTS, AgentPage.class).agents();
    }

    public AgentView agent(String agentId) {
        return transport.get(agentPath(agentId), AgentView.class);
    }

    /** Changes the fields that are not null; the other fields stay. */
    public AgentView changeAgent(String agentId, NewAgent changes) {
        return transport.call(Request.patch(agentPath(agentId), changes), AgentView.class);
    }

    public void deleteAgent(String agentId) {
        transport.remove(agentPath(agentId));
    }

    private static String agentPath(String agentId) {
        return AGENTS + "/" + Request.encode(agentId);
    }

    /**
     * Creates a token; only this answer shows its raw value. The request is sent once. If no answer comes, look for an
     * unknown token among {@link #tokens} and revoke that token.
     */
    public AgentTokenView createToken(NewAgentToken token) {
        return transport.call(Request.post(TOKENS, token).once(), AgentTokenView.class);
    }

    public List<AgentTokenView> tokens() {
        return transport.get(TOKENS, AgentTokenPage.class).tokens();
    }

    public void revokeToken(String tokenId) {
        transport.remove(TOKENS + "/" + Request.encode(tokenId));
    }
}
