package dev.parley.sdk;

import dev.parley.protocol.chat.EventEnvelope;

/** Told what a followed stream brings, in order, never by two threads at once. */
@FunctionalInterface
public interface StreamListener {
    /** The next event. If this throws, the subscription fails, so that no event is passed over. */
    void event(EventEnvelope event);

    /** A frame without an id, such as {@code typing}: live only, may be missed. */
    default void passing(SseFrame frame) {}

    default void state(StreamState state) {}
}
