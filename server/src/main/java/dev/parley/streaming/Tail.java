package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live end of one thread in one encoding: a ring and the readers that follow it. The ring is filled from a
 * committed batch if no event is missing before the batch, or else from the log. Readers are woken once per event loop,
 * regardless of their number.
 */
final class Tail implements Watches.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Tail.class);
    private static final int PAGE = 200;
    /** The size of a page. A slow reader holds one page, which is about as much as a connection's queue. */
    private static final int PAGE_BYTES = 256 * 1024;

    private static final int PARCEL_BYTES = 64 * 1024;

    private final ThreadId thread;
    private final LogReader log;
    private final Function<Event, Frames> encoder;
    private final Ring ring;
    private final Map<Object, Loop> loops = new ConcurrentHashMap<>();

    Tail(ThreadId thread, LogReader log, Function<Event, Frames> encoder, Ring ring) {
        this.thread = thread;
        this.log = log;
        this.encoder = encoder;
        this.ring = ring;
    }

    Ring ring() {
        return ring;
    }

    /** The events after a position, read from the log for a reader behind the ring; empty after the last event. */
    List<Parcel> page(long after) {
        List<Parcel> parcels = new ArrayList<>();
        List<Frames> frames = new ArrayList<>();
        int bytes = 0;
        long to = after;
        long filledTo = ring.filledTo();
        for (Event event : log.eventsAfter(thread, after, PAGE, PAGE_BYTES)) {
            Frames next = encoder.apply(event);
            if (bytes > 0 && bytes + next.size() > PARCEL_BYTES) {
                parcels.add(new Parcel(to, Frames.concat(frames)));
                frames.clear();
                bytes = 0;
            }
            frames.add(next);
            bytes += next.size();
            to = event.position();
        }
        if (!frames.isEmpty()) {
            parcels.add(new Parcel(to, Frames.concat(frames)));
        } else if (to < filledTo) {
            // The events up to here have expired. A reader that stayed before them would never reach the ring.
            parcels.add(new Parcel(filledTo, Frames.NONE));
        }
        return parcels;
    }

    /** Frames read from the log, small enough for one write, and the position after them. */
    record Parcel(long to, Frames frames) {}

    /** Fills the ring up to a position and wakes the readers; called by one thread at a time. */
    @Override
    public void woken(long position, List<Event> events) {
        long before = ring.filledTo();
        if (position <= before) {
            return;
        }
        if (!events.isEmpty() && events.getFirst().from() <= before + 1) {
            events.stream().filter(event -> event.position() > before).forEach(this::add);
        } else {
            fillFromLog(position);
        }
        loops.values().forEach(Loop::schedule);
    }

    private void fillFromLog(long position) {
        while (ring.filledTo() < position) {
            List<Event> missing = log.eventsAfter(thread, ring.filledTo(), PAGE, PAGE_BYTES);
            if (missing.isEmpty()) {
                return;
            }
            missing.forEach(this::add);
        }
    }

    private void add(Event event) {
        if (event instanceof Event.Announced announced && announced.type().equals(Event.Announced.ERASED)) {
            // The ring may hold erased events, so all its frames are dropped. Readers that need older events read the
            // log, which holds no erased events.
            ring.forget();
        }
        ring.add(event.from(), event.position(), encoder.apply(event));
    }

    /** Gives unlogged frames to every reader that has room for them. */
    void broadcast(Frames frames) {
        loops.values()
                .forEach(loop -> loop.any.execute(
                        () -> loop.readers.forEach(reader -> reader.connection().send(frames))));
    }

    void join(TailReader reader) {
        loops.compute(reader.connection().loop(), (key, loop) -> {
            Loop joined = loop == null ? new Loop(reader.connection()) : loop;
            joined.readers.add(reader);
            return joined;
        });
    }

    void leave(TailReader reader) {
        loops.computeIfPresent(reader.connection().loop(), (key, loop) -> {
            loop.readers.remove(reader);
            return loop.readers.isEmpty() ? null : loop;
        });
    }

    /** The readers of one event loop, served in one pass. */
    private static final class Loop {
        private final SseConnection any;
        private final Set<TailReader> readers = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean scheduled = new AtomicBoolean();

        Loop(SseConnection any) {
            this.any = any;
        }

        void schedule() {
            if (scheduled.compareAndSet(false, true)) {
                any.execute(this::serve);
            }
        }

        private void serve() {
            scheduled.set(false);
            for (TailReader reader : readers) {
                try {
                    reader.serve();
                } catch (RuntimeException failed) {
                    // A reader that fails, for example because it leaves during a pass, must not end the pass for the
                    // other readers.
                    LOG.warn("Could not serve a viewer; closing its connection: {}", failed.toString());
                    reader.connection().breakOff();
                }
            }
        }
    }
}
