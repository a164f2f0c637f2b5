package dev.parley.agents.model;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an action that an interrupt must not break, such as a database call, on a thread of its own. A cancellation
 * interrupts the run's thread, and an interrupted read would close the database connection.
 */
final class UninterruptibleCall {
    private static final Logger LOG = LoggerFactory.getLogger(UninterruptibleCall.class);
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(2);

    private UninterruptibleCall() {}

    /** Runs the action and waits for its result. An interrupt ends the wait, not the action. */
    static <T> T call(Callable<T> action) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofVirtual().name("parley-model-aside").start(task);
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** Runs the action even if the caller is interrupted, and waits for its end up to {@link #FINISH_TIMEOUT}. */
    static void finish(Runnable action) {
        Thread thread = Thread.ofVirtual().name("parley-model-aside").start(() -> logged(action));
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(FINISH_TIMEOUT);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void logged(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException failed) {
            LOG.error("Background call of a model run failed; its effect is lost", failed);
        }
    }
}
