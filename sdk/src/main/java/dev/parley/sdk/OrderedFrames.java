package dev.parley.sdk;

import dev.parley.protocol.ProblemException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The events of one stream, each handed out once and in order. Repeats are dropped; after a gap, or an event that cannot
 * be read, the stream is asked for again from the last good place. For one taker at a time; any thread may close it.
 *
 * @param <P> a place in the stream
 * @param <E> an event
 */
final class OrderedFrames<P extends Comparable<P>, E> implements AutoCloseable {
    /** How one kind of stream is read. */
    interface Format<P, E> {
        /** Empty unless the text is an event id of such a stream. */
        Optional<P> place(String eventId);

        /** Whether an event at a place may come directly after one at an earlier place. */
        boolean follows(P place, P earlier);

        /** Fails with a {@link JacksonException} or a {@link ProblemException} if it cannot be read. */
        E event(P place, SseFrame frame);

        /** Whether the server says with this event that the stream goes on elsewhere than where it was asked to. */
        boolean jumps(E event);
    }

    private final FrameStream frames;
    private final Format<P, E> format;
    private final Consumer<SseFrame> passing;
    private final AtomicInteger violations = new AtomicInteger();
    private volatile @Nullable P place;
    /** Whether the next event may stand where the stream has jumped to. */
    private boolean jumped;

    /**
     * @param after the place to begin after; null lets the server choose
     * @param passing told of frames without an id
     */
    OrderedFrames(
            Transport transport,
            String path,
            Format<P, E> format,
            @Nullable P after,
            Consumer<SseFrame> passing,
            Consumer<StreamState> states) {
        this.format = format;
        this.passing = passing;
        this.place = after;
        this.frames = new FrameStream(transport, path, () -> place().map(Object::toString), states);
    }

    /** The next event; empty if none came in time or the stream was closed. Fails as {@link EventStream#next} does. */
    Optional<E> next(Deadline deadline) {
        for (Optional<SseFrame> frame = frames.next(deadline); frame.isPresent(); frame = frames.next(deadline)) {
            Optional<E> event = take(frame.get());
            if (event.isPresent()) {
                return event;
            }
        }
        return Optional.empty();
    }

    /** The place of the last event handed out, or where the stream was to begin. */
    Optional<P> place() {
        return Optional.ofNullable(place);
    }

    int violations() {
        return violations.get();
    }

    boolean isClosed() {
        return frames.isClosed();
    }

    /** Whether the server said that nothing more will come. */
    boolean isEnded() {
        return frames.isEnded();
    }

    @Override
    public void close() {
        frames.close();
    }

    private Optional<E> take(SseFrame frame) {
        if (!frame.hasId()) {
            passing.accept(frame);
            return Optional.empty();
        }
        Optional<P> at = format.place(frame.lastEventId());
        if (at.isEmpty()) {
            return broken("The stream has an event id that cannot be read: " + frame.lastEventId(), null);
        }
        E event;
        try {
            event = format.event(at.get(), frame);
        } catch (JacksonException e) {
            return broken("The stream sent an event that cannot be read: " + e.getOriginalMessage(), e);
        } catch (ProblemException e) {
            return broken("The stream sent an event that cannot be read: " + e.detail(), e);
        }
        P last = place;
        boolean jumps = format.jumps(event);
        boolean landed = jumped && at.get().equals(last);
        if (last != null && !jumps && !landed) {
            if (at.get().compareTo(last) <= 0) {
                violations.incrementAndGet();
                return Optional.empty();
            }
            if (!format.follows(at.get(), last)) {
                return broken("The stream went from " + last + " to " + at.get(), null);
            }
        }
        jumped = jumps;
        place = at.get();
        frames.progressed();
        return Optional.of(event);
    }

    private Optional<E> broken(String what, @Nullable Throwable cause) {
        violations.incrementAndGet();
        frames.breach(what, cause);
        return Optional.empty();
    }
}
