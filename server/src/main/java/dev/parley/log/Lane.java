package dev.parley.log;

import dev.parley.basics.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A platform thread with a connection of its own that carries batches of commands into the log. No timer is needed,
 * because the next batch gathers while one batch commits. The lane replaces a lost connection and tries its batch
 * again. Attempts whose COMMIT went unanswered then look for their own entries and events, so nothing is appended
 * twice.
 */
final class Lane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final int MAX_SKIPS = 3;
    private static final Backoff RECONNECT = Backoff.doubling(Duration.ofMillis(20), Duration.ofSeconds(1));
    private static final Duration LOCKED_PAUSE = Duration.ofMillis(2);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    private final LaneQueue queue;
    private final BatchRunner runner;
    private final Connections connections;
    private final LogSettings settings;
    private final LaneMeters meters;
    private final ParkedThreads parked;
    private final Thread thread;
    private @Nullable Connection connection;
    private int failures;

    Lane(int number, LogSettings settings, BatchRunner runner, Connections connections, LaneMeters meters) {
        this.queue = new LaneQueue(settings.queueCommands(), settings.queueBytes());
        this.runner = runner;
        this.connections = connections;
        this.settings = settings;
        this.meters = meters;
        this.parked = new ParkedThreads(runner, connections, queue, settings.batchCommands());
        this.thread = Thread.ofPlatform().name("parley-lane-" + number).start(this::work);
    }

    LaneQueue.Offer offer(Attempt attempt) {
        return queue.offer(attempt);
    }

    int waiting() {
        return queue.size();
    }

    boolean alive() {
        return thread.isAlive();
    }

    private void work() {
        try {
            for (List<Attempt> batch = next(); !batch.isEmpty(); batch = next()) {
                carryOut(parked.divert(batch).stream()
                        .filter(attempt -> !attempt.failIfExpired())
                        .toList());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private List<Attempt> next() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return queue.take(settings.batchCommands(), settings.batchBytes());
    }

    private void carryOut(List<Attempt> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            BatchRunner.Unfinished unfinished = runner.run(connected(), batch, LaneTransaction.Locking.SKIP);
            failures = 0;
            tryAgain(unfinished, unfinished.all().size() == batch.size());
        } catch (SQLException | RuntimeException | Error lost) {
            // Also catches Errors, because a dead lane would leave its queue open with no thread to empty it.
            LOG.warn(
                    "Lane lost its connection; {} commands are tried again on a new one: {}",
                    batch.size(),
                    lost.toString());
            meters.reconnected();
            disconnect();
            queue.putBack(batch.stream().filter(attempt -> !attempt.settled()).toList());
            pause(RECONNECT.after(++failures));
        }
    }

    /**
     * Puts unfinished attempts back to the front of the queue; threads that stay locked are parked after a few skips.
     */
    private void tryAgain(BatchRunner.Unfinished unfinished, boolean nothingMoved) {
        if (unfinished.isEmpty()) {
            return;
        }
        List<Attempt> front = new ArrayList<>();
        for (Attempt attempt : unfinished.locked()) {
            if (attempt.countSkip() <= MAX_SKIPS || !parked.park(attempt)) {
                front.add(attempt);
            }
        }
        front.addAll(unfinished.untouched());
        // An attempt must not overtake an attempt of the same thread that was just parked.
        queue.putBack(parked.divert(front));
        if (nothingMoved) {
            pause(LOCKED_PAUSE);
        }
    }

    private Connection connected() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = connections.open();
            connection = current;
        }
        return current;
    }

    private void disconnect() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException gone) {
                LOG.debug("Could not close a lost connection: {}", gone.toString());
            }
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    /** Refuses new attempts from now on. */
    void refuse() {
        queue.close();
    }

    /** Refuses new attempts, finishes the queued ones, and ends. */
    @Override
    public void close() {
        refuse();
        try {
            thread.join(DRAIN_LIMIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("Lane did not drain its {} commands in {}; abandons them", queue.size(), DRAIN_LIMIT);
            thread.interrupt();
        }
    }

    /** Opens connections prepared for appending. */
    interface Connections {
        Connection open() throws SQLException;
    }
}
