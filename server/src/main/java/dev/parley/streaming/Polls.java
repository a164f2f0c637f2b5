package dev.parley.streaming;

import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Long polling: a page of events, waited for if there is none yet. Closing it ends all waiting, so that a stop need not. */
public final class Polls implements AutoCloseable {
    private final LogReader reader;
    private final Watches watches;
    private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Polls(LogReader reader, Watches watches) {
        this.reader = reader;
        this.watches = watches;
    }

    /** Up to {@code limit} events after a position, as they are now. */
    public List<Event> eventsAfter(ThreadId thread, long position, int limit) {
        return reader.eventsAfter(thread, position, limit);
    }

    /** As {@link #eventsAfter}, but if there are none, waits for some up to {@code wait}. */
    public List<Event> awaitAfter(ThreadId thread, long position, int limit, Duration wait) {
        Semaphore news = new Semaphore(0);
        // Listed before asking whether it is closed: one of the two sees the other.
        waiting.add(news);
        try (Watches.Registration watching = watches.register(thread, (reached, events) -> {
            if (reached > position) {
                news.release();
            }
        })) {
            // Registered before this read: what commits after it wakes us.
            List<Event> ready = reader.eventsAfter(thread, position, limit);
            long end = System.nanoTime() + wait.toNanos();
            // Woken by what a run emits, there may be nothing yet that is said here.
            while (ready.isEmpty() && !closed && news.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                news.drainPermits();
                ready = reader.eventsAfter(thread, position, limit);
            }
            return ready;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        } finally {
            waiting.remove(news);
        }
    }

    /** Whoever waits gets what there is, which may be nothing; from now on nobody waits. */
    @Override
    public void close() {
        closed = true;
        waiting.forEach(Semaphore::release);
    }
}
