package dev.parley.sdk;

import dev.parley.protocol.ProblemException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The events of one stream, each returned once and in order. Repeats are dropped; after a gap or an unreadable event,
 * the stream is requested again from the last good position. One Java thread at a time may read; any Java thread may
 * close the stream.
 *
 * @param <P> a position in the stream
 * @param <E> an event
 */
final class OrderedFrames<P extends Comparable<P>, E> implements AutoCloseable {
    /** The format of the positions and events in one kind of stream. */
    interface Format<P, E> {
        /** The position in an event id; empty if the text is no event id of such a stream. */
        Optional<P> position(String eventId);

        /** True if an event at {@code position} may come directly after the event at {@code earlier}. */
        boolean follows(P position, P earlier);

        /** Fails with a {@link JacksonException} or a {@link ProblemException} if the frame is unreadable. */
        E event(P position, SseFrame frame);

        /** True if the event announces that the stream continues at another position than the requested one. */
        boolean jumps(E event);
    }

    private final FrameStream frames;
    private final Format<P, E> format;
    private final Consumer<SseFrame> passing;
    private final AtomicInteger violations = new AtomicInteger();
    private volatile @Nullable P position;
    /** True if the last event announced a jump. Then the next event may have the same position as the announcement. */
    private boolean jumped;

    /**
     * @param after the position to begin after; null lets the server choose
     * @param passing receives the frames without an id
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
        this.position = after;
        this.frames = new FrameStream(transport, path, () -> position().map(Object::toString), states);
    }

    /**
     * The next event; empty if no event came in time or the stream was closed. Fails as {@link EventStream#next} does.
     */
    Optional<E> next(Deadline deadline) {
        for (Optional<SseFrame> frame = frames.next(deadline); frame.isPresent(); frame = frames.next(deadline)) {
            Optional<E> event = take(frame.get());
            if (event.isPresent()) {
                return event;
            }
        }
        return Optional.empty();
    }

    /** The position of the last event returned, or the position to begin after. */
    Optional<P> position() {
        return Optional.ofNullable(position);
    }

    int violations() {
        return violations.get();
    }

    boolean isClosed() {
        return frames.isClosed();
    }

    /** True if the server announced the end of the stream. */
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
        Optional<P> at = format.position(frame.lastEventId());
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
        P last = position;
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
        position = at.get();
        frames.progressed();
        return Optional.of(event);
    }

    private Optional<E> broken(String message, @Nullable Throwable cause) {
        violations.incrementAndGet();
        frames.breach(message, cause);
        return Optional.empty();
    }
}
