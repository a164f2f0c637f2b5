package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A changed thread in an actor's list.
 *
 * @param shouldRespond true if this agent should answer one of the new messages; null if the actor is not an agent
 */
public record InboxRow(
        Actor actor,
        ThreadId thread,
        long lastSeq,
        int unread,
        @Nullable Boolean shouldRespond) {}
