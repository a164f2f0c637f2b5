package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command on its way through a lane: its caller waits here, and its tries are counted here. One lane touches it at a time. */
final class Attempt {
    private final Command command;
    private final int weight;
    private final long deadlineNanos;
    private final CompletableFuture<CommandOutcome> outcome = new CompletableFuture<>();
    private int skips;
    private int collisions;
    private boolean mayHaveCommitted;
    private long headSeen;

    Attempt(Command command, Duration deadline) {
        this.command = command;
        this.weight = command.weight();
        this.deadlineNanos = System.nanoTime() + deadline.toNanos();
    }

    Command command() {
        return command;
    }

    int weight() {
        return weight;
    }

    boolean settled() {
        return outcome.isDone();
    }

    void complete(CommandOutcome result) {
        outcome.complete(result);
    }

    void fail(Problem problem, String detail) {
        outcome.completeExceptionally(new ProblemException(problem, detail));
    }

    /** Waits for the outcome. Running out of patience takes nothing back: the command may still be carried out. */
    CommandOutcome await() {
        try {
            return outcome.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ProblemException problem) {
                throw problem;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException late) {
            throw new ProblemException(
                    Problem.DATABASE_UNAVAILABLE,
                    "The append was not confirmed in time; send it again with the same key to learn what became of it.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        }
    }

    /** Tells a caller whose time is over that it must ask again; true if it was so. */
    boolean failIfExpired() {
        if (System.nanoTime() - deadlineNanos <= 0) {
            return false;
        }
        fail(Problem.DATABASE_UNAVAILABLE, "The append waited too long; send it again with the same key.");
        return true;
    }

    /** Somebody else held the head's lock; how often by now. */
    int countSkip() {
        return ++skips;
    }

    /** The whole transaction collided with another one; how often by now. */
    int countCollision() {
        return ++collisions;
    }

    boolean mayHaveCommitted() {
        return mayHaveCommitted;
    }

    /** Until it is answered nobody knows what became of it: if it is tried again, its own ids are looked up first. */
    void committing() {
        mayHaveCommitted = true;
    }

    /** The thread's last position when this was first decided; what it wrote, if it wrote, lies behind it. */
    long headSeen() {
        return headSeen;
    }

    void seenHead(long position) {
        if (!mayHaveCommitted) {
            headSeen = position;
        }
    }
}
