package dev.parley.streaming;

import dev.parley.log.LogPages;
import dev.parley.log.PageSize;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Long polling: returns a page of events, and waits for an event if there is none yet. {@link #close} ends all waits,
 * so that a stop of the server need not wait for them.
 */
public final class Polls implements AutoCloseable {
    private final LogPages pages;
    private final Watches watches;
    private final Duration longest;
    private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Polls(LogPages pages, Watches watches, Duration longest) {
        this.pages = pages;
        this.watches = watches;
        this.longest = longest;
    }

    /** The longest wait that a caller may ask for. */
    public Duration longest() {
        return longest;
    }

    /** The present events after a position. */
    public LogPages.Events eventsAfter(ThreadId thread, long position, PageSize size) {
        return pages.eventsAfter(thread, position, size);
    }

    /** Waits up to {@code wait} for an event after a position; true if there is one. */
    public boolean awaitAfter(ThreadId thread, long position, Duration wait) {
        Semaphore news = new Semaphore(0);
        // This thread adds the semaphore before it reads the field closed. Therefore either close() releases the
        // semaphore, or this thread sees that the field is true.
        waiting.add(news);
        try (Watches.Registration watching = watches.register(thread, (reached, events) -> {
            if (reached > position) {
                news.release();
            }
        })) {
            // The watcher is registered before this read, so that a later commit wakes this thread.
            boolean ready = pages.hasEventAfter(thread, position);
            long end = System.nanoTime() + wait.toNanos();
            // A run's own event also wakes this thread, but is no event for this reader. Therefore the loop looks
            // again.
            while (!ready && !closed && news.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                news.drainPermits();
                ready = pages.hasEventAfter(thread, position);
            }
            return ready;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        } finally {
            waiting.remove(news);
        }
    }

    /** Ends all waits: waiting callers get the present events, which may be none, and later callers do not wait. */
    @Override
    public void close() {
        closed = true;
        waiting.forEach(Semaphore::release);
    }
}
