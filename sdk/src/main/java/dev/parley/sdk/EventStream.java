package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/**
 * A thread's events, pulled one by one. Lost, refused and silent connections are replaced behind the scenes, resuming
 * after the last event handed out, so that every event comes exactly once and in order. For one taker at a time; any
 * thread may close it.
 */
public final class EventStream implements AutoCloseable {
    private final FrameStream frames;
    private final Consumer<SseFrame> passing;
    private final AtomicInteger violations = new AtomicInteger();
    private volatile Cursor cursor;

    EventStream(
            Transport transport, String path, Cursor cursor, Consumer<SseFrame> passing, Consumer<StreamState> states) {
        this.cursor = cursor;
        this.passing = passing;
        this.frames = new FrameStream(transport, path, () -> Optional.of(this.cursor), states);
    }

    /**
     * The next event; empty if none came in time or the stream was closed.
     *
     * @throws ParleyProblem if the server refuses the stream for good
     * @throws ParleyUnreachable if the retry policy is used up
     * @throws StreamBroken if the server keeps breaking the stream at the same place
     */
    public Optional<EventEnvelope> next(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        for (Optional<SseFrame> frame = frames.next(deadline); frame.isPresent(); frame = frames.next(deadline)) {
            Optional<EventEnvelope> event = take(frame.get());
            if (event.isPresent()) {
                return event;
            }
        }
        return Optional.empty();
    }

    /** After the last event handed out. */
    public Cursor cursor() {
        return cursor;
    }

    /** How often the server repeated or left out events or sent what cannot be read. Zero, if it keeps its promises. */
    public int violations() {
        return violations.get();
    }

    public boolean isClosed() {
        return frames.isClosed();
    }

    @Override
    public void close() {
        frames.close();
    }

    private Optional<EventEnvelope> take(SseFrame frame) {
        if (!frame.hasId()) {
            passing.accept(frame);
            return Optional.empty();
        }
        Optional<Cursor> place = Cursor.parse(frame.lastEventId());
        if (place.isPresent() && place.get().compareTo(cursor) <= 0) {
            violations.incrementAndGet();
            return Optional.empty();
        }
        if (place.isEmpty() || !place.get().follows(cursor)) {
            violations.incrementAndGet();
            frames.breach("The stream went from " + cursor + " to " + frame.lastEventId(), null);
            return Optional.empty();
        }
        try {
            EventEnvelope event = Json.MAPPER.readValue(frame.data(), EventEnvelope.class);
            cursor = place.get();
            frames.progressed();
            return Optional.of(event);
        } catch (JacksonException e) {
            violations.incrementAndGet();
            frames.breach("The stream sent an event that cannot be read: " + e.getOriginalMessage(), e);
            return Optional.empty();
        }
    }
}
