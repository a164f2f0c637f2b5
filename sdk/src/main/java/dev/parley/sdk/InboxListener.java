package dev.parley.sdk;

import dev.parley.protocol.chat.InboxHint;

/** Receives the changes in the caller's threads, never from two Java threads at once. */
@FunctionalInterface
public interface InboxListener {
    /** A change in a thread. If this method throws, the subscription fails. */
    void hint(InboxHint hint);

    /**
     * A change of the stream's state. Hints are not repeated. Therefore list the threads after each {@code Open}, to
     * find the changes that came before.
     */
    default void state(StreamState state) {}
}
