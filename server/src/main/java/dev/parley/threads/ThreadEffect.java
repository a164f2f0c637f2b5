package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change to a thread or its membership. Goes through the lane, so that what is said before and after it is judged by it. */
public sealed interface ThreadEffect extends Effect {
    ThreadId thread();

    /** What the one who changes it must be allowed. */
    default Capability needs() {
        return Capability.CAN_MANAGE_PARTICIPANTS;
    }

    @Override
    default boolean changesFacts() {
        return true;
    }

    record Renamed(ThreadId thread, String title) implements ThreadEffect {}

    /** @param by the message that the title is taken from; its erasure clears the title */
    record Titled(ThreadId thread, String title, long by) implements ThreadEffect {}

    record Archived(ThreadId thread, boolean archived) implements ThreadEffect {}

    /** @param agent whose override it is; null for the whole thread */
    record ModeSet(
            ThreadId thread,
            @Nullable Actor agent,
            @Nullable String mode) implements ThreadEffect {}

    record Joined(ThreadId thread, List<NewMemberRow> members) implements ThreadEffect {
        public Joined {
            members = List.copyOf(members);
        }
    }

    record Removed(ThreadId thread, Actor member) implements ThreadEffect {}

    /** @param capabilities what the member may do from now on, as bits */
    record CapabilitiesChanged(ThreadId thread, Actor member, short capabilities) implements ThreadEffect {}

    /** Removed by oneself. */
    record Left(ThreadId thread, Actor member) implements ThreadEffect {
        @Override
        public Capability needs() {
            return Capability.CAN_READ;
        }
    }

    record Deleted(ThreadId thread) implements ThreadEffect {}
}
