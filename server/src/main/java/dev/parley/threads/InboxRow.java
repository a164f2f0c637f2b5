package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A thread in somebody's list, after it changed.
 *
 * @param shouldRespond whether a message that this tells of is to be answered by this agent; null for everybody else
 */
public record InboxRow(
        Actor actor,
        ThreadId thread,
        long lastSeq,
        int unread,
        @Nullable Boolean shouldRespond) {}
