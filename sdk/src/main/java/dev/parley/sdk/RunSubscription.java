package dev.parley.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows a run or a thread on a virtual thread of its own, until the run is over, or until the subscription is closed
 * or fails for good. Once {@link #close} has returned, the listener is no longer called, unless it spent over ten
 * seconds on one event.
 */
public final class RunSubscription implements AutoCloseable {
    private static final Duration STEP = Duration.ofMinutes(1);

    private final RunStream stream;
    private final RunListener listener;
    private final Follower follower;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile OptionalLong position;
    private volatile StreamState state;

    RunSubscription(Transport transport, String path, boolean oneRun, @Nullable Long after, RunListener listener) {
        this.listener = listener;
        this.position = after == null ? OptionalLong.empty() : OptionalLong.of(after);
        this.state = new StreamState.Connecting(after == null ? null : after.toString());
        this.stream = new RunStream(transport, path, oneRun, after, this::change);
        this.follower = new Follower("parley-runs", stream::isClosed, this::step, stream::close, this::finish);
    }

    RunSubscription start() {
        follower.start();
        return this;
    }

    /** The position of the last event that the listener has processed. Another subscription can resume after it. */
    public OptionalLong position() {
        return position;
    }

    public StreamState state() {
        return state;
    }

    /** See {@link RunStream#violations}. */
    public int violations() {
        return stream.violations();
    }

    /** Waits until no more events can come, for any reason; false if the limit passes first. */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        return over.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        stream.close();
        follower.join();
    }

    private void step() {
        Optional<PlacedEvent> event = stream.next(STEP);
        if (event.isPresent()) {
            event.get().resync().ifPresentOrElse(listener::resync, () -> listener.event(event.get()));
            position = stream.position();
        }
    }

    private void finish(StreamState last) {
        boolean ended = last instanceof StreamState.Closed && stream.isEnded();
        try {
            change(ended ? new StreamState.Ended() : last);
        } finally {
            over.countDown();
        }
    }

    private void change(StreamState next) {
        state = next;
        listener.state(next);
    }
}
