package dev.parley.bench.fanout;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The times between the first and the last viewer of an event, for the events of one channel. Written by one thread
 * only.
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

    /** Times between the first and the last viewer of an event since the last call, in microseconds. */
    Histogram takeSkew() {
        return skewMicros.getIntervalHistogram();
    }
}
