package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A thread's events, pulled one by one. Lost, refused and silent connections are replaced behind the scenes, resuming
 * after the last event handed out, so that every event comes exactly once and in order. For one taker at a time; any
 * thread may close it.
 */
public final class EventStream implements AutoCloseable {
    private final OrderedFrames<Cursor, EventEnvelope> events;

    EventStream(
            Transport transport, String path, Cursor cursor, Consumer<SseFrame> passing, Consumer<StreamState> states) {
        this.events = new OrderedFrames<>(transport, path, new Envelopes(), cursor, passing, states);
    }

    private record Envelopes() implements OrderedFrames.Format<Cursor, EventEnvelope> {
        @Override
        public Optional<Cursor> place(String eventId) {
            return Cursor.parse(eventId);
        }

        @Override
        public boolean follows(Cursor place, Cursor earlier) {
            return place.follows(earlier);
        }

        @Override
        public EventEnvelope event(Cursor place, SseFrame frame) {
            return Json.MAPPER.readValue(frame.data(), EventEnvelope.class);
        }

        @Override
        public boolean jumps(EventEnvelope event) {
            return false;
        }
    }

    /**
     * The next event; empty if none came in time or the stream was closed.
     *
     * @throws ParleyProblem if the server refuses the stream for good
     * @throws ParleyUnreachable if the retry policy is used up
     * @throws StreamBroken if the server keeps breaking the stream at the same place
     */
    public Optional<EventEnvelope> next(Duration limit) {
        return events.next(Deadline.in(limit));
    }

    /** After the last event handed out. */
    public Cursor cursor() {
        return events.place().orElse(Cursor.START);
    }

    /** How often the server repeated or left out events or sent what cannot be read. Zero, if it keeps its promises. */
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
