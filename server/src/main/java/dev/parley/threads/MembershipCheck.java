package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import java.util.Optional;

/**
 * Only participants may change a thread, and only within their capabilities. The append itself checks this rule, so a
 * removal takes effect at once.
 */
public final class MembershipCheck {
    private MembershipCheck() {}

    /** The refusal of a participant who lacks a capability. */
    public static Refusal lacking(Capability needed) {
        return Refusal.of(
                Problem.FORBIDDEN, "You may see this thread, but you lack the capability " + needed.wire() + ".");
    }

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        if (command.fence() != null) {
            // The run acts, and not its agent as a participant. So an agent that is removed before its answer is
            // complete can still end its run.
            return Optional.empty();
        }
        if (command.actor().equals(Actor.SYSTEM)) {
            // The server itself; no caller can be this actor.
            return Optional.empty();
        }
        if (thread.source() != null && command.actor().equals(Sources.integration(thread.source()))) {
            // The integration is not a participant. It delivers the messages of participants.
            return Optional.empty();
        }
        ThreadFacts.Member member = thread.members().get(command.actor());
        if (member == null || !Capability.CAN_READ.in(member.capabilities())) {
            return Optional.of(Refusal.noSuchThread());
        }
        for (Change change : command.changes()) {
            Capability needed = needed(change);
            if (!needed.in(member.capabilities())) {
                return Optional.of(lacking(needed));
            }
        }
        return Optional.empty();
    }

    private static Capability needed(Change change) {
        return switch (change) {
            case Change.Append append -> Capability.CAN_SEND;
            case Change.Apply(ThreadEffect threadEffect) -> threadEffect.needs();
            case Change.Apply other -> Capability.CAN_READ;
            case Change.Announce announce -> Capability.CAN_READ;
            case Change.Emit emit -> Capability.CAN_RUN;
        };
    }
}
