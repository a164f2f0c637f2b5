package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.http.StreamSource;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The front door for following a thread: replay from a position, then live, without a gap. */
public final class Tails {
    private final LogReader log;
    private final Watches watches;
    private final CatchUps catchUps;
    private final RingBudget budget;
    private final ConcurrentHashMap<Key, Shared> tails = new ConcurrentHashMap<>();

    public Tails(LogReader log, Watches watches, Limits.Streams limits, Duration parcelTime) {
        this.log = log;
        this.watches = watches;
        this.catchUps = new CatchUps(limits.pageReads(), parcelTime);
        this.budget = new RingBudget(limits.tailBytes(), limits.tailBytesTotal());
        watches.everySecond(this::trimIdle);
    }

    /** The number of tails; each has at least one viewer. */
    public int count() {
        return tails.size();
    }

    /** Trims idle rings in favour of active ones. */
    private void trimIdle() {
        if (budget.isScarce()) {
            tails.values().forEach(shared -> shared.tail.ring().trimIfIdle());
        }
    }

    /** Viewers with the same encoder see the same bytes, and share a tail. */
    private record Key(ThreadId thread, Function<Event, Frames> encoder) {}

    /** A tail with the number of its users. Only the map's own atomic operations change this number. */
    private static final class Shared {
        private final Tail tail;
        private final Watches.Registration watching;
        private int users;

        Shared(Tail tail, Watches.Registration watching) {
            this.tail = tail;
            this.watching = watching;
        }

        Shared joined() {
            users++;
            return this;
        }
    }

    /**
     * Opens a stream of all events after a position.
     *
     * @param encoder encodes events for the wire; viewers with equal encoders share the work
     * @param opened receives the connection; the action that it returns runs once when the viewer is gone
     */
    public StreamSource open(
            ThreadId thread, long after, Function<Event, Frames> encoder, Function<SseConnection, Runnable> opened) {
        return open(thread, after, Frames.NONE, encoder, opened);
    }

    /** @param greeting the frames that the viewer gets first */
    public StreamSource open(
            ThreadId thread,
            long after,
            Frames greeting,
            Function<Event, Frames> encoder,
            Function<SseConnection, Runnable> opened) {
        Following following = follow(thread, after, encoder, new Semaphore(1));
        return connection -> {
            attach(connection, following, opened, greeting);
        };
    }

    /**
     * Joins a thread's tail for a stream of several threads. The caller must leave the result at the end.
     *
     * @param pages the permits for the pages that all readers of one stream may hold while they catch up
     */
    public Following follow(ThreadId thread, long after, Function<Event, Frames> encoder, Semaphore pages) {
        Key key = new Key(thread, encoder);
        return new Following(acquire(key), catchUps, pages, after, () -> release(key));
    }

    private static void attach(
            SseConnection connection, Following following, Function<SseConnection, Runnable> opened, Frames greeting) {
        following.join(connection);
        Runnable closed = opened.apply(connection);
        connection.onClose(() -> {
            following.leave();
            closed.run();
        });
        if (greeting.isLast()) {
            connection.close(greeting);
            return;
        }
        if (greeting.size() > 0) {
            connection.send(greeting);
        }
        following.begin();
    }

    /** Sends frames to the present followers of a thread; the frames are not part of its log and are not repeated. */
    public void broadcast(ThreadId thread, Frames frames) {
        tails.forEach((key, shared) -> {
            if (key.thread().equals(thread)) {
                shared.tail.broadcast(frames);
            }
        });
    }

    private Tail acquire(Key key) {
        Shared joined = tails.computeIfPresent(key, (k, existing) -> existing.joined());
        if (joined != null) {
            return joined.tail;
        }
        long start = log.lastPosition(key.thread());
        AtomicBoolean created = new AtomicBoolean();
        Shared shared = tails.compute(key, (k, existing) -> {
            created.set(existing == null);
            return (existing == null ? start(k, start) : existing).joined();
        });
        if (created.get()) {
            try {
                // The hint covers commits between the first look and the registration of the tail. Without the hint,
                // these commits would wait for the repair.
                watches.hint(key.thread(), log.lastPosition(key.thread()));
            } catch (RuntimeException unavailable) {
                release(key);
                throw unavailable;
            }
        }
        return shared.tail;
    }

    private Shared start(Key key, long start) {
        Tail tail = new Tail(key.thread(), log, key.encoder(), new Ring(start, budget));
        return new Shared(tail, watches.register(key.thread(), tail));
    }

    private void release(Key key) {
        tails.computeIfPresent(key, (k, shared) -> {
            if (--shared.users > 0) {
                return shared;
            }
            shared.watching.close();
            shared.tail.ring().clear();
            return null;
        });
    }
}
