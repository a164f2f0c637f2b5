package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change to a thread or its membership. The change passes through the lane, so earlier and later commands are decided
 * by the right facts.
 */
public sealed interface ThreadEffect extends Effect {
    ThreadId thread();

    /** The capability that the actor of the change needs. */
    default Capability needs() {
        return Capability.CAN_MANAGE_PARTICIPANTS;
    }

    @Override
    default boolean changesFacts() {
        return true;
    }

    record Renamed(ThreadId thread, String title) implements ThreadEffect {}

    /** @param by the seq of the message whose text became the title; its erasure clears the title */
    record Titled(ThreadId thread, String title, long by) implements ThreadEffect {}

    record Archived(ThreadId thread, boolean archived) implements ThreadEffect {}

    /** @param agent the agent whose override is set; null for the mode of the whole thread */
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

    /** @param capabilities the member's new capabilities, as bits */
    record CapabilitiesChanged(ThreadId thread, Actor member, short capabilities) implements ThreadEffect {}

    /** The member removed itself. */
    record Left(ThreadId thread, Actor member) implements ThreadEffect {
        @Override
        public Capability needs() {
            return Capability.CAN_READ;
        }
    }

    record Deleted(ThreadId thread) implements ThreadEffect {}
}
