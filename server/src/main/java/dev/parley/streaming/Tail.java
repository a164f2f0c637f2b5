package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The live end of one thread in one encoding: a ring filled from just-committed batches if they follow on, else from the
 * log, and the readers that follow it. Readers are woken once per event loop, however many there are.
 */
final class Tail implements Watches.Watcher {
    private static final int PAGE = 200;

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

    /** A page of frames from the log, for a reader behind the ring. */
    Page page(long after) {
        List<Event> events = log.eventsAfter(thread, after, PAGE);
        return events.isEmpty()
                ? new Page(after, Frames.NONE, true)
                : new Page(
                        events.getLast().position(),
                        Frames.concat(events.stream().map(encoder).toList()),
                        false);
    }

    /** Frames read from the log, the position behind them, and whether there were none left. */
    record Page(long to, Frames frames, boolean end) {}

    /** Follows the log; called by one thread at a time. */
    @Override
    public void woken(long position, List<Event> events) {
        long before = ring.filledTo();
        if (position <= before) {
            return;
        }
        if (!events.isEmpty() && events.getFirst().position() <= before + 1) {
            events.stream().filter(event -> event.position() > before).forEach(this::add);
        } else {
            fillFromLog(position);
        }
        loops.values().forEach(Loop::schedule);
    }

    private void fillFromLog(long position) {
        while (ring.filledTo() < position) {
            List<Event> missing = log.eventsAfter(thread, ring.filledTo(), PAGE);
            if (missing.isEmpty()) {
                return;
            }
            missing.forEach(this::add);
        }
    }

    private void add(Event event) {
        ring.add(event.position(), encoder.apply(event));
    }

    /** Gives passing frames to every reader that has room for them. */
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

    /** The readers of one event loop; they are served in one pass. */
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
                    // One that leaves in mid-pass must not end the pass for the others.
                    reader.connection().cut();
                }
            }
        }
    }
}
