package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads whose heads somebody else keeps locked. Each waits for its lock on a connection of its own, so that the lane
 * goes on with the others; what arrives for a parked thread meanwhile queues up behind it, in order.
 */
final class ParkedThreads {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedThreads.class);

    private final BatchRunner runner;
    private final Lane.Connections connections;
    private final int batchCommands;
    private final Map<ThreadId, Deque<Attempt>> parked = new HashMap<>();

    ParkedThreads(BatchRunner runner, Lane.Connections connections, int batchCommands) {
        this.runner = runner;
        this.connections = connections;
        this.batchCommands = batchCommands;
    }

    /** Parks an attempt; the first of its thread starts the wait. */
    synchronized void park(Attempt attempt) {
        ThreadId thread = attempt.command().thread();
        Deque<Attempt> queue = parked.get(thread);
        if (queue == null) {
            queue = new ArrayDeque<>();
            parked.put(thread, queue);
            Thread.ofVirtual().name("parley-parked-" + thread).start(() -> waitFor(thread));
        }
        queue.addLast(attempt);
    }

    /** Keeps back what belongs to parked threads, and returns the rest. */
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
                queue.addLast(attempt);
            }
        }
        return rest;
    }

    private void waitFor(ThreadId thread) {
        List<Attempt> batch = List.of();
        try (Connection connection = connections.open()) {
            for (batch = next(thread, List.of()); !batch.isEmpty(); ) {
                List<Attempt> again = runner.run(connection, batch, LaneTransaction.Locking.WAIT);
                batch = next(thread, again);
            }
        } catch (SQLException | RuntimeException error) {
            LOG.warn("Lost the connection that waited for thread {}", thread, error);
            fail(batch);
            for (List<Attempt> rest = next(thread, List.of()); !rest.isEmpty(); rest = next(thread, List.of())) {
                fail(rest);
            }
        }
    }

    /** What to run next for a thread; with nothing left the thread is parked no longer. */
    private synchronized List<Attempt> next(ThreadId thread, List<Attempt> again) {
        Deque<Attempt> queue = parked.getOrDefault(thread, new ArrayDeque<>());
        List<Attempt> batch = new ArrayList<>(again);
        while (batch.size() < batchCommands && !queue.isEmpty()) {
            batch.add(queue.removeFirst());
        }
        if (batch.isEmpty()) {
            parked.remove(thread);
        }
        return batch;
    }

    private static void fail(List<Attempt> attempts) {
        attempts.stream()
                .filter(attempt -> !attempt.settled())
                .forEach(attempt -> attempt.fail(
                        Problem.DATABASE_UNAVAILABLE,
                        "The append was not confirmed; send it again with the same key."));
    }

    synchronized boolean isEmpty() {
        return parked.isEmpty();
    }
}
