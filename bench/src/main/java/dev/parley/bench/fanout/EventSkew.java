package dev.parley.bench.fanout;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The times between the arrival of an event at its first viewer and at its last, for the events of one channel. Only
 * one thread notes arrivals.
 */
final class EventSkew {
    private static final class Event {
        private final long firstNanos;
        private int seen;

        private Event(long firstNanos) {
            this.firstNanos = firstNanos;
        }
    }

    private final int viewers;
    private final List<Event> events = new ArrayList<>();
    private final Recorder skewMicros = new Recorder(3);

    EventSkew(int viewers) {
        this.viewers = viewers;
    }

    /**
     * @param index the number of the event in its channel, from 0; all viewers get the same events in the same order
     */
    void arrived(int index, long nanos) {
        if (index == events.size()) {
            events.add(new Event(nanos));
        }
        Event event = events.get(index);
        if (++event.seen == viewers) {
            skewMicros.recordValue(Math.max(0, (nanos - event.firstNanos) / 1_000));
        }
    }

    /**
     * The times from an event's first viewer to its last, in microseconds, for events that were complete since the last
     * call.
     */
    Histogram takeSkew() {
        return skewMicros.getIntervalHistogram();
    }
}
