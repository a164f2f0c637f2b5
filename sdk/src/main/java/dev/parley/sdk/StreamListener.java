package dev.parley.sdk;

import dev.parley.protocol.chat.EventEnvelope;

/** Receives the events of a followed stream, in order, never from two Java threads at once. */
@FunctionalInterface
public interface StreamListener {
    /** The next event. If this method throws, the subscription fails, so that no event is skipped. */
    void event(EventEnvelope event);

    /** A frame without an id, such as {@code typing}. Such frames are sent live only, so some may be missed. */
    default void passing(SseFrame frame) {}

    default void state(StreamState state) {}
}
