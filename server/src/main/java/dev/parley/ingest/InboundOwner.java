package dev.parley.ingest;

import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import java.time.Instant;

/**
 * In whose name an integration's messages are kept: their threads, files and agents are its owner's.
 *
 * @param source what the messages come from
 * @param owner a person, with no more rights than any other
 */
record InboundOwner(String source, Principal.User owner) {
    /** Refuses those who bring nothing at all. */
    static void requireCaller(Principal caller) {
        if (!(caller instanceof Principal.Integration) && !caller.isOperator()) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "Only an integration, by its key, or an operator may bring messages.");
        }
    }

    /** The one who answers for messages of this source that the caller brings. */
    static InboundOwner of(Principal caller, String source) {
        requireCaller(caller);
        if (!(caller instanceof Principal.Integration integration)) {
            return new InboundOwner(source, person(caller.actor()));
        }
        if (!integration.source().equals(source)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "This key brings messages of " + integration.source() + " only.");
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
