package dev.parley.sdk;

import java.time.Duration;

/** How a followed stream is doing. {@code Closed} and {@code Failed} are final. */
public sealed interface StreamState {
    /** A connection is being made, resuming after {@code from}. */
    record Connecting(Cursor from) implements StreamState {}

    /** Connected; events arrive as they happen. */
    record Open() implements StreamState {}

    /** The connection was lost or refused; the next try starts after {@code pause}. */
    record Waiting(Duration pause, Throwable cause) implements StreamState {}

    /** Closed by its owner. */
    record Closed() implements StreamState {}

    /** Given up: the server refuses for good, the retry policy is used up, or the listener threw. */
    record Failed(RuntimeException cause) implements StreamState {}
}
