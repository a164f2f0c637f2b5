package dev.parley.sdk;

import dev.parley.protocol.chat.InboxHint;

/** Told what changed in the caller's threads, never by two threads at once. */
@FunctionalInterface
public interface InboxListener {
    /** Something changed in a thread. If this throws, the subscription fails. */
    void hint(InboxHint hint);

    /** Hints are not repeated: at each {@code Open}, what changed before has to be looked up, by listing the threads. */
    default void state(StreamState state) {}
}
