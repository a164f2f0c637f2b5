package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What rules about threads judge by. Only thread changes alter it, and each of them counts the head's facts up, so it
 * holds for as long as that number stays.
 *
 * @param mode when its agents answer
 * @param untitled whether nobody has named it yet
 * @param source the integration that it came from; null if it came from none
 */
public record ThreadFacts(
        boolean archived,
        ParticipationMode mode,
        boolean untitled,
        @Nullable String source,
        Map<Actor, Member> members) {
    /** There is no such thread, or nobody is in it any more. */
    static final ThreadFacts NONE = new ThreadFacts(false, ParticipationMode.OPEN, false, null, Map.of());

    static ThreadFacts of(Map<ThreadId, ThreadFacts> facts, ThreadId thread) {
        return facts.getOrDefault(thread, NONE);
    }

    public ThreadFacts {
        members = Map.copyOf(members);
    }

    /** Whether an actor's place in the thread allows this. */
    public boolean allows(Actor actor, Capability needed) {
        Member member = members.get(actor);
        return member != null && needed.in(member.capabilities());
    }

    /**
     * Somebody in the thread.
     *
     * @param mode when this agent answers, if not when the others do
     * @param active false for an agent that was switched off
     * @param executed true for an agent that we run ourselves
     */
    public record Member(int capabilities, @Nullable ParticipationMode mode, boolean active, boolean executed) {}
}
