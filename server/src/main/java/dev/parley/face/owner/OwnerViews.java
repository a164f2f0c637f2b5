package dev.parley.face.owner;

import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.AgentView;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The owners' views of agents and tokens. */
final class OwnerViews {
    private OwnerViews() {}

    static AgentView agent(RegisteredAgent agent) {
        return new AgentView(
                agent.id().toString(),
                agent.actor(),
                agent.displayName(),
                agent.kind().name().toLowerCase(Locale.ROOT),
                agent.config(),
                agent.visibility().name().toLowerCase(Locale.ROOT),
                agent.active(),
                agent.createdAt());
    }

    /** @param raw the secret; null except in the response to the token's creation */
    static AgentTokenView token(AgentTokens.Listed token, @Nullable String raw) {
        return new AgentTokenView(
                token.tokenId().toString(),
                Actor.agent(token.agentId()),
                raw,
                token.prefix(),
                token.displayName(),
                token.scopes().stream().sorted().map(Capability::scope).toList(),
                token.expiresAt(),
                token.createdAt(),
                token.lastUsedAt());
    }
}
