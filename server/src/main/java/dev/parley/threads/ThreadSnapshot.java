package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread at one moment, as one of its participants sees it. */
public record ThreadSnapshot(
        ThreadId id,
        String type,
        @Nullable String title,
        boolean archived,
        String participationMode,
        Instant createdAt,
        List<Member> members,
        long lastSeq,
        @Nullable LastMessage lastMessage,
        int unread) {

    Optional<Member> member(Actor actor) {
        return roster().member(actor);
    }

    public boolean allows(Actor actor, Capability needed) {
        return roster().allows(actor, needed);
    }

    private ThreadRoster roster() {
        return new ThreadRoster(id, members);
    }

    ThreadSnapshot withLast(@Nullable LastMessage last) {
        return new ThreadSnapshot(
                id, type, title, archived, participationMode, createdAt, members, lastSeq, last, unread);
    }

    public record Member(
            Actor actor,
            String displayName,
            List<Capability> capabilities,
            @Nullable String participationMode,
            long lastReadSeq) {}

    /** The newest message, as lists show it. */
    public record LastMessage(Instant at, String preview) {}
}
