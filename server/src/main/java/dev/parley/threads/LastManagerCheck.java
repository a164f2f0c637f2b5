package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import java.util.Optional;

/**
 * Ensures that a thread with people has a person as a manager, because an agent may be deleted and cannot be asked. The
 * last manager can neither leave nor give up the capability until another person has it. The append itself checks this
 * rule, so two managers cannot both leave at once.
 */
final class LastManagerCheck {
    private static final Refusal LAST = Refusal.of(
            Problem.LAST_MANAGER,
            "No other person manages this thread: give another one can_manage_participants first, or delete the thread.");

    private LastManagerCheck() {}

    static Optional<Refusal> refusal(Command command, ThreadFacts thread) {
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ThreadEffect each) && leavesNoManager(thread, each)) {
                return Optional.of(LAST);
            }
        }
        return Optional.empty();
    }

    private static boolean leavesNoManager(ThreadFacts thread, ThreadEffect effect) {
        return switch (effect) {
            case ThreadEffect.Removed removed -> leavesPeopleUnmanaged(thread, removed.member());
            case ThreadEffect.Left left -> leavesPeopleUnmanaged(thread, left.member());
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

    /** True if people would remain without a manager. A thread in which only agents remain needs no manager. */
    private static boolean leavesPeopleUnmanaged(ThreadFacts thread, Actor leaving) {
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
