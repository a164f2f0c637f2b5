package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread as one of its participants finds it at one moment. */
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

    /** A participant. */
    public record Member(
            Actor actor,
            String displayName,
            List<Capability> capabilities,
            @Nullable String participationMode,
            long lastReadSeq) {}

    /** The newest message, as lists show it. */
    public record LastMessage(Instant at, String preview) {}
}
