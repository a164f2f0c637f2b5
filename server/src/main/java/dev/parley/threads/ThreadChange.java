package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change to a thread or its membership. Goes through the lane, so that what is said before and after it is judged by it. */
public sealed interface ThreadChange extends Effect {
    ThreadId thread();

    /** What the one who changes it must be allowed. */
    default Capability needs() {
        return Capability.CAN_MANAGE_PARTICIPANTS;
    }

    @Override
    default boolean changesFacts() {
        return true;
    }

    record Renamed(ThreadId thread, String title) implements ThreadChange {}

    /** @param by the message that the title is taken from; its erasure clears the title */
    record Titled(ThreadId thread, String title, long by) implements ThreadChange {}

    record Archived(ThreadId thread, boolean archived) implements ThreadChange {}

    /** @param agent whose override it is; null for the whole thread */
    record ModeSet(
            ThreadId thread,
            @Nullable Actor agent,
            @Nullable String mode) implements ThreadChange {}

    record Joined(ThreadId thread, List<NewMemberRow> members) implements ThreadChange {
        public Joined {
            members = List.copyOf(members);
        }
    }

    record Removed(ThreadId thread, Actor member) implements ThreadChange {}

    /** @param capabilities what the member may do from now on, as bits */
    record CapabilitiesChanged(ThreadId thread, Actor member, short capabilities) implements ThreadChange {}

    /** Removed by oneself. */
    record Left(ThreadId thread, Actor member) implements ThreadChange {
        @Override
        public Capability needs() {
            return Capability.CAN_READ;
        }
    }

    record Deleted(ThreadId thread) implements ThreadChange {}
}
