package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import java.util.Optional;

/**
 * A thread with people in it has a person who manages it: an agent may be deleted, and cannot be asked. The last one
 * neither leaves nor gives its place up before somebody else manages; judged inside the append, so that two managers
 * who leave at once do not both get away.
 */
final class LastManagerCheck {
    private static final Refusal LAST = Refusal.of(
            Problem.LAST_MANAGER,
            "No other person manages this thread: give another one can_manage_participants first, or delete the thread.");

    private LastManagerCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ThreadEffect each) && leavesNobody(thread, each)) {
                return Optional.of(LAST);
            }
        }
        return Optional.empty();
    }

    private static boolean leavesNobody(ThreadFacts thread, ThreadEffect effect) {
        return switch (effect) {
            case ThreadEffect.Removed removed -> leavesPeople(thread, removed.member());
            case ThreadEffect.Left left -> leavesPeople(thread, left.member());
            case ThreadEffect.CapabilitiesChanged changed ->
                !Capability.CAN_MANAGE_PARTICIPANTS.in(changed.capabilities())
                        && isLastManager(thread, changed.member());
            case ThreadEffect.Renamed _,
                    ThreadEffect.Titled _,
                    ThreadEffect.Archived _,
                    ThreadEffect.ModeSet _,
                    ThreadEffect.Joined _,
                    ThreadEffect.Deleted _ -> false;
        };
    }

    /** Where only agents stay, nobody is left who misses a manager. */
    private static boolean leavesPeople(ThreadFacts thread, Actor leaving) {
        return isLastManager(thread, leaving)
                && thread.members().keySet().stream()
                        .anyMatch(each -> !each.equals(leaving) && each.kind() != Actor.Kind.AGENT);
    }

    private static boolean isLastManager(ThreadFacts thread, Actor member) {
        return thread.allows(member, Capability.CAN_MANAGE_PARTICIPANTS)
                && thread.members().entrySet().stream()
                        .noneMatch(each -> !each.getKey().equals(member)
                                && each.getKey().kind() == Actor.Kind.USER
                                && each.getValue().active()
                                && thread.allows(each.getKey(), Capability.CAN_MANAGE_PARTICIPANTS));
    }
}
