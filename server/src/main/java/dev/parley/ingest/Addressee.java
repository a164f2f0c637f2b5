package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the agent that a message addresses. An id is looked up among the agents that the owner of the integration key
 * may use. A name is looked up among the owner's agents and the server's agents, so that no other owner can take over a
 * name.
 */
final class Addressee {
    private static final String BOT = "bot:";
    private static final String AGENT = "agent:";

    private final Agents agents;
    private final Actor defaultAgent;

    Addressee(Agents agents, Actor defaultAgent) {
        this.agents = agents;
        this.defaultAgent = defaultAgent;
    }

    /** True if a recipient is an agent, and not a user of the platform. */
    static boolean isAgent(@Nullable String recipient) {
        return recipient != null && (recipient.startsWith(BOT) || recipient.startsWith(AGENT));
    }

    /** The agent that the message names; empty if it names none. */
    Optional<RegisteredAgent> named(Principal owner, ParsedInbound inbound) {
        String bot = inbound.given().botId();
        if (bot != null) {
            return Optional.of(require(owner, "bot_id", bot));
        }
        String recipient = inbound.metadata().id("recipient_id");
        return recipient != null && isAgent(recipient)
                ? Optional.of(require(owner, "msg_metadata.recipient_id", recipient))
                : Optional.empty();
    }

    /**
     * The agent of a new thread if the message names no agent: the channel's former agent, or else the default agent.
     */
    Actor requireDefault(Principal owner, Optional<Actor> before) {
        return before.flatMap(agent -> find(owner, "bot_id", agent.value()))
                .or(() -> find(owner, "bot_id", defaultAgent.value()))
                .map(RegisteredAgent::actor)
                .orElseThrow(() -> unknown("bot_id", "is required: there is no default agent"));
    }

    private RegisteredAgent require(Principal owner, String field, String given) {
        String handle = given.startsWith(BOT) ? given.substring(BOT.length()) : given;
        return find(owner, field, handle)
                .orElseThrow(() -> unknown(field, "names no agent that the key's owner may use"));
    }

    private Optional<RegisteredAgent> find(Principal owner, String field, String given) {
        try {
            return Optional.of(agents.requireUsable(owner, field, given));
        } catch (ProblemException unusable) {
            if (unusable.problem() != Problem.AGENT_NOT_FOUND) {
                throw unusable;
            }
            return Optional.empty();
        }
    }

    private static ProblemException unknown(String field, String message) {
        return ProblemException.invalidField(field, message);
    }
}
