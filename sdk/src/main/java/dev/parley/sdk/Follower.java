package dev.parley.sdk;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Reads a stream on a virtual thread of its own, until the stream is closed or fails for good. */
final class Follower {
    private static final Duration LAST_CALL = Duration.ofSeconds(10);

    private final Thread thread;

    /**
     * @param closed true once the stream is closed; checked before each step
     * @param close closes the stream after a failure
     */
    Follower(String name, BooleanSupplier closed, Runnable step, Runnable close, Consumer<StreamState> states) {
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> {
            try {
                while (!closed.getAsBoolean()) {
                    step.run();
                }
                states.accept(new StreamState.Closed());
            } catch (RuntimeException e) {
                close.run();
                states.accept(new StreamState.Failed(e));
            }
        });
    }

    void start() {
        thread.start();
    }

    /** Waits a limited time for the last step to end; returns at once if the step itself is the caller. */
    void join() {
        if (thread.equals(Thread.currentThread())) {
            return;
        }
        try {
            thread.join(LAST_CALL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
