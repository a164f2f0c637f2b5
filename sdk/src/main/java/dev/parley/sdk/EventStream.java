package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A thread's events, pulled one by one. Lost, refused and silent connections are replaced and resume after the last
 * event returned, so every event comes exactly once and in order. One Java thread at a time may read; any Java thread
 * may close the stream.
 */
public final class EventStream implements AutoCloseable {
    private final OrderedFrames<Cursor, EventEnvelope> events;

    EventStream(
            Transport transport, String path, Cursor cursor, Consumer<SseFrame> passing, Consumer<StreamState> states) {
        this.events = new OrderedFrames<>(transport, path, new Envelopes(), cursor, passing, states);
    }

    private record Envelopes() implements OrderedFrames.Format<Cursor, EventEnvelope> {
        @Override
        public Optional<Cursor> position(String eventId) {
            return Cursor.parse(eventId);
        }

        @Override
        public boolean follows(Cursor position, Cursor earlier) {
            return position.follows(earlier);
        }

        @Override
        public EventEnvelope event(Cursor position, SseFrame frame) {
            return Json.MAPPER.readValue(frame.data(), EventEnvelope.class);
        }

        @Override
        public boolean jumps(EventEnvelope event) {
            return false;
        }
    }

    /**
     * The next event; empty if no event came in time or the stream was closed.
     *
     * @throws ParleyProblem if the server refuses the stream for good
     * @throws ParleyUnreachable if the retry policy is used up
     * @throws StreamBroken if the server keeps breaking the stream at the same position
     */
    public Optional<EventEnvelope> next(Duration limit) {
        return events.next(Deadline.in(limit));
    }

    /** The cursor after the last event returned. */
    public Cursor cursor() {
        return events.position().orElse(Cursor.START);
    }

    /**
     * The number of times that the server repeated or left out events or sent unreadable ones. Zero for a correct
     * server.
     */
    public int violations() {
        return events.violations();
    }

    public boolean isClosed() {
        return events.isClosed();
    }

    @Override
    public void close() {
        events.close();
    }
}
