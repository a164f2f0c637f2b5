package dev.parley.nodes;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether this node takes new work: messages and runs that somebody asks for. It does until it stops, and then for the
 * time in which a balancer that asks for readiness now and then has to notice. Runs under way finish meanwhile, and what
 * they write is no new work.
 */
public final class WorkIntake implements AutoCloseable {
    private final Duration drain;
    private volatile boolean ending;
    private volatile long end;

    /** @param drain how long new work is taken after the beginning of the stop */
    public WorkIntake(Duration drain) {
        this.drain = drain;
    }

    /** From now on everybody can know that this node stops. */
    public void beginDrain() {
        end = System.nanoTime() + drain.toNanos();
        ending = true;
    }

    /** Passes while new work is taken; whoever is refused asks another node, or this one after its restart. */
    public void requireOpen() {
        if (ending && end - System.nanoTime() <= 0) {
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
        }
    }

    /** Waits until nothing new is taken any more; not at all before the stop has begun. */
    @Override
    public void close() {
        for (long left = end - System.nanoTime();
                ending && left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
