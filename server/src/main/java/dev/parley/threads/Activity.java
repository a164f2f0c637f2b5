package dev.parley.threads;

import dev.parley.log.Event;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last message and the activity time of threads in lists up to date. The rows are written after the log, so
 * that no append pays for them. A commit only notes which threads have changed. The content comes from the log, so a
 * lost note loses no data. Twice a second the threads that have waited longest are written, in at most a tenth of the
 * time. Lists therefore lag more on a busier server.
 */
public final class Activity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Activity.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration SHARE = INTERVAL.dividedBy(10);
    /**
     * The interval at which a search finds threads whose list rows lag behind the log, because a crash loses the notes.
     */
    private static final Duration REPAIR_INTERVAL = Duration.ofMinutes(5);
    /** The number of threads in one write: few, so that another change to one of these threads waits only briefly. */
    private static final int PIECE = 10;

    private final Database database;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-activity").daemon().factory());
    private final Set<ThreadId> changed = new LinkedHashSet<>();

    public Activity(Database database) {
        this.database = database;
        writer.scheduleWithFixedDelay(
                () -> guarded(() -> write(SHARE)), INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        writer.scheduleWithFixedDelay(
                () -> guarded(this::repair), 0, REPAIR_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes threads with new entries. This method does nothing more, because it is called on the thread of a lane. */
    public synchronized void committed(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Committed) {
                changed.add(event.thread());
            }
        }
    }

    private synchronized List<ThreadId> take() {
        List<ThreadId> piece = new ArrayList<>(PIECE);
        Iterator<ThreadId> waiting = changed.iterator();
        while (waiting.hasNext() && piece.size() < PIECE) {
            piece.add(waiting.next());
            waiting.remove();
        }
        return piece;
    }

    private synchronized void note(Collection<ThreadId> threads) {
        changed.addAll(threads);
    }

    private void write(Duration share) {
        long end = System.nanoTime() + share.toNanos();
        List<ThreadId> piece = take();
        while (!piece.isEmpty()) {
            List<ThreadId> now = piece;
            try {
                refresh(now);
            } catch (RuntimeException unavailable) {
                note(piece);
                throw unavailable;
            }
            if (System.nanoTime() > end) {
                return;
            }
            piece = take();
        }
    }

    private void refresh(List<ThreadId> threads) {
        database.once(handle -> {
            try {
                ActivityStore.refresh(handle, threads);
                return threads;
            } catch (SQLException failed) {
                throw new IllegalStateException("Could not write the activity of threads", failed);
            }
        });
    }

    private void repair() {
        note(database.read(ActivityStore::outdated));
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not write the activity of threads; retrying on the next pass: {}", unavailable.toString());
        }
    }

    /** Writes pending activity if that takes at most two seconds, and stops. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(2, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        guarded(() -> write(Duration.ofSeconds(2)));
    }
}
