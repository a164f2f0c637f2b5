package dev.parley.sdk;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The state of a followed stream. {@code Ended}, {@code Closed} and {@code Failed} are final. */
public sealed interface StreamState {
    /** The client connects and resumes after the event with this id; null if the server chooses the beginning. */
    record Connecting(@Nullable String lastEventId) implements StreamState {}

    /** The client is connected; events arrive as they happen. */
    record Open() implements StreamState {}

    /** The connection was lost or refused; the next try starts after {@code pause}. */
    record Waiting(Duration pause, Throwable cause) implements StreamState {}

    /** All events have come. */
    record Ended() implements StreamState {}

    /** The caller closed the stream or the whole client. */
    record Closed() implements StreamState {}

    /** The server refuses for good, the retry policy is used up, or the listener threw. */
    record Failed(RuntimeException cause) implements StreamState {}
}
