package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one rule about who may see a thread and act in it, for reads and for checks before a write. This class never
 * writes. The append of a write checks the rule again.
 */
public final class ThreadAccess {
    private final Database database;

    public ThreadAccess(Database database) {
        this.database = database;
    }

    /** True if an id names a thread, existing or deleted, readable or not. */
    public boolean isTaken(ThreadId thread) {
        return database.read(handle -> ThreadStore.isTaken(handle, thread));
    }

    /**
     * Passes if the caller has the capability in the thread. Otherwise a thread that the caller cannot see is not
     * found, and a thread that the caller can see refuses the call.
     */
    public ThreadRoster requireAllowed(Principal caller, ThreadId thread, Capability needed) {
        caller.requireScope(needed);
        ThreadRoster now = new ThreadRoster(thread, roster(caller.actor(), thread));
        if (caller instanceof Principal.Integration) {
            // An integration sees the threads of its source without being a participant.
            requireSeen(caller, thread);
        } else if (!now.allows(caller.actor(), Capability.CAN_READ)) {
            // The roster of one read decides. A second read could find the caller as a new participant, whose
            // capabilities are missing in the first roster.
            throw notFound();
        }
        if (!now.allows(caller.actor(), needed)) {
            throw MembershipCheck.lacking(needed).toException();
        }
        return now;
    }

    /** Passes if the caller may read the thread, as a participant or as the integration of the thread's source. */
    public void requireReadable(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_READ);
        requireSeen(caller, thread);
    }

    /** Passes if the caller can see the thread, even if the caller's credential may not read. */
    public void requireSeen(Principal caller, ThreadId thread) {
        boolean seen = switch (caller) {
            case Principal.Integration integration ->
                database.read(handle -> ThreadStore.source(handle, thread))
                        .filter(integration.source()::equals)
                        .isPresent();
            case Principal.User user -> isReader(user.actor(), thread);
            case Principal.Agent agent -> isReader(agent.actor(), thread);
        };
        if (!seen) {
            throw notFound();
        }
    }

    private boolean isReader(Actor actor, ThreadId thread) {
        OptionalInt bits = database.read(handle -> ThreadStore.capabilities(handle, thread, actor));
        return bits.isPresent() && Capability.CAN_READ.in(bits.getAsInt());
    }

    /** The thread as the caller sees it now. A thread that the caller cannot see looks like a missing thread. */
    public ThreadSnapshot require(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_READ);
        return requireSnapshot(caller, thread);
    }

    /**
     * The thread, to be returned to a caller who has changed it. The last message is left out if the caller's
     * credential has no right to read.
     */
    public ThreadSnapshot requireChanged(Principal caller, ThreadId thread) {
        return caller.scopes().contains(Capability.CAN_READ)
                ? require(caller, thread)
                : requireSnapshot(caller, thread).withLast(null);
    }

    /** Passes if the caller may manage the thread; an append checks it again. */
    public ThreadSnapshot requireManaged(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadSnapshot now = requireSnapshot(caller, thread);
        if (!now.allows(caller.actor(), Capability.CAN_MANAGE_PARTICIPANTS)) {
            throw MembershipCheck.lacking(Capability.CAN_MANAGE_PARTICIPANTS).toException();
        }
        return now;
    }

    /** The thread for a caller of any scope; the caller's method has checked the scope that it needs. */
    ThreadSnapshot requireSnapshot(Principal caller, ThreadId thread) {
        String source = sourceOf(caller);
        return database.read(handle -> ThreadStore.find(handle, List.of(thread), caller.actor(), source)).stream()
                .filter(each -> source != null || each.allows(caller.actor(), Capability.CAN_READ))
                .findFirst()
                .orElseThrow(ThreadAccess::notFound);
    }

    /** The source whose threads an integration sees; null for other callers. */
    static @Nullable String sourceOf(Principal caller) {
        return caller instanceof Principal.Integration integration ? integration.source() : null;
    }

    /** The participants of a thread, as a participant sees them; empty for an actor outside the thread. */
    public List<ThreadSnapshot.Member> roster(Actor member, ThreadId thread) {
        return database.read(handle -> ThreadStore.roster(handle, thread, member));
    }

    /** The participants of a thread, as a participant sees them. For an actor outside, the thread is not found. */
    List<ThreadSnapshot.Member> requireRoster(Actor member, ThreadId thread) {
        List<ThreadSnapshot.Member> members = roster(member, thread);
        if (members.isEmpty()) {
            throw notFound();
        }
        return members;
    }

    /** An actor in a thread. */
    public record Membership(ThreadId thread, Actor actor) {}

    /** The memberships whose actor may still read: a participant, or the thread's integration. */
    public Set<Membership> stillReadable(Set<Membership> memberships) {
        return memberships.isEmpty()
                ? Set.of()
                : database.read(handle -> ThreadStore.stillReadable(handle, memberships));
    }

    static ProblemException notFound() {
        return Refusal.noSuchThread().toException();
    }
}
