package dev.parley.ingest;

import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import java.time.Instant;

/**
 * The owner of an integration's messages, and of their threads, files and agents.
 *
 * @param source the source of the messages
 * @param owner a user without additional rights
 */
record InboundOwner(String source, Principal.User owner) {
    /** Throws unless the caller is an integration or an operator. */
    static void requireCaller(Principal caller) {
        if (!(caller instanceof Principal.Integration) && !caller.isOperator()) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "Only integrations, by their key, and operators may submit messages.");
        }
    }

    /** The owner of messages of this source that the caller submits. */
    static InboundOwner of(Principal caller, String source) {
        requireCaller(caller);
        if (!(caller instanceof Principal.Integration integration)) {
            return new InboundOwner(source, person(caller.actor()));
        }
        if (!integration.source().equals(source)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "This key may submit messages of " + integration.source() + " only.");
        }
        Actor owner = integration.owner();
        if (owner == null || owner.kind() != Actor.Kind.USER) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "This key has no owner; name an operator in the setting operators.");
        }
        return new InboundOwner(source, person(owner));
    }

    private static Principal.User person(Actor owner) {
        return new Principal.User(
                UuidV7.parseCanonical(owner.value().substring("user:".length())).orElseThrow(),
                owner.value(),
                false,
                Instant.MAX);
    }
}
