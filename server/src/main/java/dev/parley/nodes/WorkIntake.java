package dev.parley.nodes;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides if this node accepts new work: posted messages and started runs. The node accepts work until its stop begins,
 * and then for the time that a load balancer needs to notice the stop. Meanwhile active runs finish. Their output is
 * not new work.
 */
public final class WorkIntake implements AutoCloseable {
    private final Duration drain;
    private volatile boolean ending;
    private volatile long end;

    /** @param drain the time from the beginning of the stop during which the node still accepts new work */
    public WorkIntake(Duration drain) {
        this.drain = drain;
    }

    /** Announces that this node stops. */
    public void beginDrain() {
        end = System.nanoTime() + drain.toNanos();
        ending = true;
    }

    /** Passes while the node accepts new work. A refused caller tries another node, or this node after its restart. */
    public void requireOpen() {
        if (ending && end - System.nanoTime() <= 0) {
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
        }
    }

    /** Waits until the node accepts no new work; returns at once if the stop has not begun. */
    @Override
    public void close() {
        for (long left = end - System.nanoTime();
                ending && left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
