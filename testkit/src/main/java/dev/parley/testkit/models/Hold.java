package dev.parley.testkit.models;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A point in a script at which the answer waits until the test releases it, or the client leaves. */
public final class Hold {
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    public void release() {
        released.complete(null);
    }

    /** True if an answer reaches this point within the limit; all frames before it are then written. */
    boolean awaitReached(Duration limit) {
        return done(reached, limit);
    }

    /** Marks this point as reached. The future completes when the answer may go on. */
    CompletableFuture<Void> reach() {
        reached.complete(null);
        return released;
    }

    static boolean done(CompletableFuture<?> future, Duration limit) {
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
