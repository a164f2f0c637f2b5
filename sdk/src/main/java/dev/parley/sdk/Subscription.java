package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import java.time.Duration;
import java.util.Optional;

/**
 * Follows a thread on a virtual thread of its own, until the subscription is closed or fails for good. The listener is
 * no longer called once {@link #close} has returned, unless it spent over ten seconds on one event.
 */
public final class Subscription implements AutoCloseable {
    private static final Duration STEP = Duration.ofMinutes(1);

    private final EventStream stream;
    private final StreamListener listener;
    private final Follower follower;
    private volatile Cursor cursor;
    private volatile StreamState state;

    Subscription(Transport transport, ThreadId thread, String path, Cursor from, StreamListener listener) {
        this.listener = listener;
        this.cursor = from;
        this.state = new StreamState.Connecting(from.toString());
        this.stream = new EventStream(transport, path, from, listener::passing, this::change);
        this.follower = new Follower(
                "parley-subscription-" + thread, stream::isClosed, this::step, stream::close, this::change);
    }

    Subscription start() {
        follower.start();
        return this;
    }

    /** The cursor after the last event that the listener has processed. Another subscription can resume from it. */
    public Cursor cursor() {
        return cursor;
    }

    public StreamState state() {
        return state;
    }

    /** See {@link EventStream#violations}. */
    public int violations() {
        return stream.violations();
    }

    @Override
    public void close() {
        stream.close();
        follower.join();
    }

    private void step() {
        Optional<EventEnvelope> event = stream.next(STEP);
        if (event.isPresent()) {
            listener.event(event.get());
            cursor = stream.cursor();
        }
    }

    private void change(StreamState next) {
        state = next;
        listener.state(next);
    }
}
