package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command on its way through a lane: holds the waiting caller's outcome and counts the tries. Only one lane touches
 * an attempt at a time.
 */
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

    /** Waits for the outcome. A timeout does not withdraw the command, which may still be carried out. */
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
                    "The append was not confirmed in time; send it again with the same key to learn its outcome.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        }
    }

    /** Fails the attempt if its deadline has passed, so that the caller sends it again; returns true if it failed. */
    boolean failIfExpired() {
        if (System.nanoTime() - deadlineNanos <= 0) {
            return false;
        }
        fail(Problem.DATABASE_UNAVAILABLE, "The append waited too long; send it again with the same key.");
        return true;
    }

    /** Counts a try at which another transaction held the lock of the head; returns the count. */
    int countSkip() {
        return ++skips;
    }

    /** Counts a collision of the whole transaction with another one; returns the count. */
    int countCollision() {
        return ++collisions;
    }

    boolean mayHaveCommitted() {
        return mayHaveCommitted;
    }

    /**
     * Marks the attempt before its COMMIT. The outcome is unknown until the COMMIT is answered, so a retry first looks
     * up the command's own ids.
     */
    void committing() {
        mayHaveCommitted = true;
    }

    /** Removes the mark, because the database has refused the transaction with the attempt. */
    void notCommitted() {
        mayHaveCommitted = false;
    }

    /**
     * The thread's last position at the first decision. If the command was written, all its events have later
     * positions.
     */
    long headSeen() {
        return headSeen;
    }

    void seenHead(long position) {
        if (!mayHaveCommitted) {
            headSeen = position;
        }
    }
}
