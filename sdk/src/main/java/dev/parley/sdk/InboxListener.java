package dev.parley.sdk;

import dev.parley.protocol.chat.InboxHint;

/** Receives the changes in the caller's threads, never from two threads at once. */
@FunctionalInterface
public interface InboxListener {
    /** A change in a thread. If this throws, the subscription fails. */
    void hint(InboxHint hint);

    /** Hints are not repeated: after each {@code Open}, list the threads to find the changes before it. */
    default void state(StreamState state) {}
}
