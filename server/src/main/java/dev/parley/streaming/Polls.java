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

/** Long polling: a page of events, waited for if there is none yet. Closing it ends all waiting, so that a stop need not. */
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

    /** Events after a position, as they are now. */
    public LogPages.Events eventsAfter(ThreadId thread, long position, PageSize size) {
        return pages.eventsAfter(thread, position, size);
    }

    /** Waits up to {@code wait} until there is an event after a position; tells whether there is. */
    public boolean awaitAfter(ThreadId thread, long position, Duration wait) {
        Semaphore news = new Semaphore(0);
        // Listed before asking whether it is closed: one of the two sees the other.
        waiting.add(news);
        try (Watches.Registration watching = watches.register(thread, (reached, events) -> {
            if (reached > position) {
                news.release();
            }
        })) {
            // Registered before this read: what commits after it wakes us.
            boolean ready = pages.hasEventAfter(thread, position);
            long end = System.nanoTime() + wait.toNanos();
            // Woken by what a run emits, there may be nothing yet that is said here.
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

    /** Whoever waits gets what there is, which may be nothing; from now on nobody waits. */
    @Override
    public void close() {
        closed = true;
        waiting.forEach(Semaphore::release);
    }
}
