package dev.parley.face.owner;

import dev.parley.agents.Agents;
import dev.parley.agents.DisconnectPolicy;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.model.ModelConfig;
import dev.parley.agents.remote.RemoteConfig;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Parses the requests of owners. Checks their shape only. */
final class OwnerRequests {
    private static final String MODEL = "model";
    private static final String AGUI = "agui";
    /** The latest accepted expiry. It is later than any sensible expiry, and well within the database's range. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final Limits.Requests limits;
    private final Secrets secrets;
    private final Set<String> toolServers;

    /**
     * @param secrets the secrets that an agent's configuration may refer to
     * @param toolServers the tool servers that an agent's configuration may refer to
     */
    OwnerRequests(Limits.Requests limits, Secrets secrets, Set<String> toolServers) {
        this.limits = limits;
        this.secrets = secrets;
        this.toolServers = Set.copyOf(toolServers);
    }

    /** A new agent. Only the operator configures agents that the server calls. */
    Agents.AgentChange newAgent(Principal.User owner, NewAgent wanted) {
        String kind = wanted.kind() == null ? "" : wanted.kind();
        if (kind.equals(MODEL) || kind.equals(AGUI)) {
            requireOperator(owner, "register", kind);
        }
        Agents.AgentChange wish = wish(wanted);
        if (wish.kind() != null) {
            requireConfig(wish.kind(), wish.config() == null ? Json.MAPPER.createObjectNode() : wish.config());
        }
        return wish;
    }

    /** A change of an existing agent. */
    Agents.AgentChange change(Principal.User owner, RegisteredAgent agent, NewAgent wanted) {
        String kind = agent.kind().name().toLowerCase(Locale.ROOT);
        if (kind.equals(MODEL) || kind.equals(AGUI)) {
            requireOperator(owner, "change", kind);
        }
        Agents.AgentChange wish = wish(wanted);
        if (wish.config() != null) {
            requireConfig(agent.kind(), wish.config());
        }
        return wish;
    }

    private void requireConfig(RegisteredAgent.Kind kind, ObjectNode config) {
        switch (kind) {
            case AGUI -> RemoteConfig.require(config, secrets);
            case MODEL -> ModelConfig.require(config, secrets, toolServers);
            case DEMO, EXTERNAL -> {}
        }
    }

    private static void requireOperator(Principal.User owner, String verb, String kind) {
        if (!owner.operator()) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "Only an operator may " + verb + " agents of kind " + kind + ".");
        }
    }

    private Agents.AgentChange wish(NewAgent wanted) {
        ObjectNode config = wanted.config();
        if (config != null
                && Json.MAPPER.writeValueAsString(config).getBytes(StandardCharsets.UTF_8).length
                        > limits.metadataBytes()) {
            throw ProblemException.invalidField(
                    "config", "is larger than the limit of " + limits.metadataBytes() + " bytes");
        }
        if (config != null
                && config.has(DisconnectPolicy.KEY)
                && DisconnectPolicy.of(config).isEmpty()) {
            throw ProblemException.invalidField("config." + DisconnectPolicy.KEY, "must be continue or cancel");
        }
        return new Agents.AgentChange(
                wanted.displayName() == null ? null : name("display_name", wanted.displayName()),
                choice("kind", wanted.kind(), RegisteredAgent.Kind.class),
                config,
                choice("visibility", wanted.visibility(), RegisteredAgent.Visibility.class),
                wanted.isActive());
    }

    private String name(String field, String name) {
        String stripped = name.strip();
        if (stripped.isEmpty() || stripped.codePointCount(0, stripped.length()) > limits.displayName()) {
            throw ProblemException.invalidField(field, "must have 1 to " + limits.displayName() + " characters");
        }
        if (stripped.codePoints().anyMatch(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF))) {
            throw ProblemException.invalidField(field, "contains a control character");
        }
        return stripped;
    }

    private static <E extends Enum<E>> @Nullable E choice(String field, @Nullable String given, Class<E> type) {
        if (given == null) {
            return null;
        }
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(given)) {
                return value;
            }
        }
        throw ProblemException.invalidField(
                field,
                "must be one of " + List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT));
    }

    AgentTokens.TokenRequest wish(NewAgentToken wanted) {
        Instant expires = wanted.expiresAt();
        if (expires != null && expires.isAfter(LATEST)) {
            throw ProblemException.invalidField("expires_at", "must be before the year 10000");
        }
        String name = wanted.agentDisplayName();
        return new AgentTokens.TokenRequest(
                agentOf(wanted),
                name == null ? null : name("agent_display_name", name),
                scopes(wanted.scopes()),
                expires);
    }

    private static UUID agentOf(NewAgentToken wanted) {
        String given = wanted.agentActorId() == null ? "" : wanted.agentActorId();
        return UuidV7.parseCanonical(given.startsWith("agent:") ? given.substring("agent:".length()) : given)
                .orElseThrow(() -> ProblemException.invalidField(
                        "agent_actor_id", "must be an agent's UUID or " + Actor.agent(new UUID(0, 0))));
    }

    /** The scopes of a token; by default an agent observes and speaks. */
    private static Set<Capability> scopes(@Nullable List<String> given) {
        if (given == null) {
            return EnumSet.of(Capability.CAN_READ, Capability.CAN_SEND);
        }
        Set<Capability> scopes = EnumSet.noneOf(Capability.class);
        for (int i = 0; i < given.size(); i++) {
            int at = i;
            scopes.add(Capability.parse(given.get(i) == null ? "" : given.get(i))
                    .orElseThrow(() -> ProblemException.invalidField(
                            "scopes[" + at + "]", "must be observe, speak, manage_thread or run")));
        }
        if (scopes.isEmpty()) {
            throw ProblemException.invalidField("scopes", "must not be empty");
        }
        return scopes;
    }
}
