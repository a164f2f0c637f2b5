package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads whose heads other transactions keep locked. A few of these threads wait for their locks on connections of
 * their own, while the lane continues with other threads. Later attempts of a parked thread queue up after the first,
 * in order. If the connection of a parked thread dies, all attempts of the thread return to the lane, which handles
 * unanswered commits.
 */
final class ParkedThreads {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedThreads.class);

    /** Each parked thread takes a connection, and connections are few. */
    static final int MAX_PARKED = 4;

    private final BatchRunner runner;
    private final Lane.Connections connections;
    private final LaneQueue lane;
    private final int batchCommands;
    private final Map<ThreadId, Deque<Attempt>> parked = new HashMap<>();

    ParkedThreads(BatchRunner runner, Lane.Connections connections, LaneQueue lane, int batchCommands) {
        this.runner = runner;
        this.connections = connections;
        this.lane = lane;
        this.batchCommands = batchCommands;
    }

    /** Parks an attempt if a connection is free; the first attempt of a thread starts the wait. */
    synchronized boolean park(Attempt attempt) {
        ThreadId thread = attempt.command().thread();
        Deque<Attempt> queue = parked.get(thread);
        if (queue == null) {
            if (parked.size() >= MAX_PARKED) {
                return false;
            }
            queue = new ArrayDeque<>();
            parked.put(thread, queue);
            lane.parked();
            Thread.ofVirtual().name("parley-parked-" + thread).start(() -> waitFor(thread));
        }
        hold(queue, attempt);
        return true;
    }

    /** Holds back the attempts of parked threads, and returns the rest. */
    synchronized List<Attempt> divert(List<Attempt> batch) {
        if (parked.isEmpty()) {
            return batch;
        }
        List<Attempt> rest = new ArrayList<>(batch.size());
        for (Attempt attempt : batch) {
            Deque<Attempt> queue = parked.get(attempt.command().thread());
            if (queue == null) {
                rest.add(attempt);
            } else {
                hold(queue, attempt);
            }
        }
        return rest;
    }

    private void hold(Deque<Attempt> queue, Attempt attempt) {
        lane.heldBack(attempt);
        queue.addLast(attempt);
    }

    private void waitFor(ThreadId thread) {
        List<Attempt> batch = List.of();
        Connection connection = null;
        try {
            connection = connections.open();
            batch = next(thread, List.of());
            while (!batch.isEmpty()) {
                BatchRunner.Unfinished unfinished = runner.run(connection, batch, LaneTransaction.Locking.WAIT);
                batch = next(thread, unfinished.all());
            }
        } catch (SQLException | RuntimeException | Error lost) {
            LOG.warn("Wait of parked thread {} failed; its commands go back to the lane: {}", thread, lost.toString());
            giveBack(thread, batch);
        } finally {
            close(connection);
        }
    }

    /**
     * Closes the connection and ignores a failure to close it, because such a failure says nothing about the commands.
     * The thread's attempts must not be given back here, because the thread may be parked again with other commands.
     */
    private static void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException gone) {
                LOG.debug("Could not close the connection of a parked thread: {}", gone.toString());
            }
        }
    }

    /** The next batch of a thread; a thread without further attempts is parked no longer. */
    private synchronized List<Attempt> next(ThreadId thread, List<Attempt> unfinished) {
        List<Attempt> batch = new ArrayList<>(unfinished);
        Deque<Attempt> queue = parked.getOrDefault(thread, new ArrayDeque<>());
        while (batch.size() < batchCommands && !queue.isEmpty()) {
            Attempt attempt = queue.removeFirst();
            lane.release(attempt);
            if (!attempt.failIfExpired()) {
                batch.add(attempt);
            }
        }
        if (batch.isEmpty() && parked.remove(thread) != null) {
            lane.unparked();
        }
        return batch;
    }

    private synchronized void giveBack(ThreadId thread, List<Attempt> batch) {
        List<Attempt> unsettled = new ArrayList<>(
                batch.stream().filter(attempt -> !attempt.settled()).toList());
        @Nullable Deque<Attempt> queue = parked.remove(thread);
        if (queue != null) {
            queue.forEach(lane::release);
            unsettled.addAll(queue);
        }
        lane.putBack(unsettled);
        if (queue != null) {
            lane.unparked();
        }
    }
}
