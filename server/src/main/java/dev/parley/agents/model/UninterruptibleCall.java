package dev.parley.agents.model;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something that must not be torn apart by an interrupt, such as a call of the database, on a thread of its own: the
 * run's thread is interrupted when somebody cancels, and an interrupted read closes its connection.
 */
final class UninterruptibleCall {
    private static final Logger LOG = LoggerFactory.getLogger(UninterruptibleCall.class);
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(2);

    private UninterruptibleCall() {}

    /** Waits for the result; whoever is interrupted does not learn it. */
    static <T> T call(Callable<T> deed) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(deed);
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

    /** Does it even for somebody who is being interrupted, and waits a while for it. */
    static void finish(Runnable deed) {
        Thread thread = Thread.ofVirtual().name("parley-model-aside").start(() -> logged(deed));
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

    private static void logged(Runnable deed) {
        try {
            deed.run();
        } catch (RuntimeException failed) {
            LOG.error("Something beside a run failed", failed);
        }
    }
}
