package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Optional;

/** The participants of a thread at one moment, and their capabilities. */
public record ThreadRoster(ThreadId id, List<ThreadSnapshot.Member> members) {
    public ThreadRoster {
        members = List.copyOf(members);
    }

    public Optional<ThreadSnapshot.Member> member(Actor actor) {
        return members.stream().filter(member -> member.actor().equals(actor)).findFirst();
    }

    public boolean allows(Actor actor, Capability needed) {
        return member(actor)
                .map(member -> member.capabilities().contains(needed))
                .orElse(false);
    }
}
