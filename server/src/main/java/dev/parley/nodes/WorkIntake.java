package dev.parley.nodes;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides if this node takes new work: posted messages and started runs. It does until it stops, and then for the time
 * that a balancer needs to notice. Active runs finish meanwhile; their output is no new work.
 */
public final class WorkIntake implements AutoCloseable {
    private final Duration drain;
    private volatile boolean ending;
    private volatile long end;

    /** @param drain the time after the beginning of the stop in which new work is still taken */
    public WorkIntake(Duration drain) {
        this.drain = drain;
    }

    /** Announces that this node stops. */
    public void beginDrain() {
        end = System.nanoTime() + drain.toNanos();
        ending = true;
    }

    /** Passes while new work is taken. A refused caller tries another node, or this one after its restart. */
    public void requireOpen() {
        if (ending && end - System.nanoTime() <= 0) {
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
        }
    }

    /** Waits until no new work is taken any more; returns at once if the stop has not begun. */
    @Override
    public void close() {
        for (long left = end - System.nanoTime();
                ending && left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
