package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import java.util.Optional;

/** Only participants get anything into a thread, and only what they may; checked inside the append, so a removal counts at once. */
public final class MembershipCheck {
    private MembershipCheck() {}

    /** Somebody in the thread who may not do this. */
    public static Refusal lacking(Capability needed) {
        return Refusal.of(
                Problem.FORBIDDEN, "You may see this thread, but this needs the capability " + needed.wire() + ".");
    }

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        if (command.fence() != null) {
            // It acts by its run, not by its agent's place: an agent that is put out in mid-answer still ends it.
            return Optional.empty();
        }
        if (command.actor().equals(Actor.SYSTEM)) {
            // No caller is the server itself.
            return Optional.empty();
        }
        if (thread.source() != null && command.actor().equals(Sources.integration(thread.source()))) {
            // It has no place in the thread: it brings what was said elsewhere by those who have.
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
            case Change.Apply(ThreadEffect threadChange) -> threadChange.needs();
            case Change.Apply other -> Capability.CAN_READ;
            case Change.Announce announce -> Capability.CAN_READ;
            case Change.Emit emit -> Capability.CAN_RUN;
        };
    }
}
