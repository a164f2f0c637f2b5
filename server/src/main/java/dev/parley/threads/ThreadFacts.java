package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts by which rules about threads judge. The thread's head counts the changes to these facts, so the facts are
 * valid as long as the head's number of changes is the same.
 *
 * @param mode the messages that the thread's agents answer
 * @param untitled true if the thread has no title yet
 * @param source the integration from which the thread came; null for none
 * @param webhooks false if no webhook receives the thread's events
 */
public record ThreadFacts(
        boolean archived,
        ParticipationMode mode,
        boolean untitled,
        @Nullable String source,
        boolean webhooks,
        Map<Actor, Member> members) {
    /** The facts of a thread that does not exist or has no participants. */
    static final ThreadFacts NONE = new ThreadFacts(false, ParticipationMode.OPEN, false, null, false, Map.of());

    static ThreadFacts of(Map<ThreadId, ThreadFacts> facts, ThreadId thread) {
        return facts.getOrDefault(thread, NONE);
    }

    public ThreadFacts {
        members = Map.copyOf(members);
    }

    /** True if an actor has this capability in the thread. */
    public boolean allows(Actor actor, Capability needed) {
        Member member = members.get(actor);
        return member != null && needed.in(member.capabilities());
    }

    /**
     * A participant of the thread.
     *
     * @param mode the messages that this agent answers; null for the mode of the thread
     * @param active false for an agent that was switched off
     * @param executed true for an agent that the server runs itself
     */
    public record Member(int capabilities, @Nullable ParticipationMode mode, boolean active, boolean executed) {}
}
