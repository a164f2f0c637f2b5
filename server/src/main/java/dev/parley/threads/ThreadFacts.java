package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts by which rules about threads judge. Only thread effects change them, and each counts the head's facts up,
 * so they hold as long as that number stays.
 *
 * @param mode the messages that its agents answer
 * @param untitled true if the thread has no title yet
 * @param source the integration that it came from; null if it came from none
 */
public record ThreadFacts(
        boolean archived,
        ParticipationMode mode,
        boolean untitled,
        @Nullable String source,
        Map<Actor, Member> members) {
    /** The facts of a thread that does not exist or has no participants. */
    static final ThreadFacts NONE = new ThreadFacts(false, ParticipationMode.OPEN, false, null, Map.of());

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
