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
 * Finds the agent that a message is for: by id among those that the key's owner may use, by name among the owner's own and
 * the server's, so that no stranger can take a name over.
 */
final class Addressee {
    private static final String BOT = "bot:";
    private static final String AGENT = "agent:";

    private final Agents agents;
    private final Actor standard;

    /** @param standard who answers where nobody says otherwise */
    Addressee(Agents agents, Actor standard) {
        this.agents = agents;
        this.standard = standard;
    }

    /** Whether a recipient is one of our agents, and not somebody of the platform. */
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

    /** Who answers in a new thread where the message names nobody: who answered there before, or whoever does by default. */
    Actor requireStandard(Principal owner, Optional<Actor> before) {
        return before.flatMap(agent -> find(owner, "bot_id", agent.value()))
                .or(() -> find(owner, "bot_id", standard.value()))
                .map(RegisteredAgent::actor)
                .orElseThrow(() -> unknown("bot_id", "is required: no agent answers by default here"));
    }

    private RegisteredAgent require(Principal owner, String field, String given) {
        String handle = given.startsWith(BOT) ? given.substring(BOT.length()) : given;
        return find(owner, field, handle).orElseThrow(() -> unknown(field, "names no agent that may be used here"));
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
