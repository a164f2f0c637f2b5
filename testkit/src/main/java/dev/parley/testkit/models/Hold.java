package dev.parley.testkit.models;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A place in a script where the answer stands still until the test lets it go on, or the client leaves. */
public final class Hold {
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    public void release() {
        released.complete(null);
    }

    /** Whether an answer comes to this place within the limit; all frames before it are then written. */
    public boolean awaitReached(Duration limit) {
        return done(reached, limit);
    }

    /** Comes to this place. The future is done when the answer may go on. */
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
