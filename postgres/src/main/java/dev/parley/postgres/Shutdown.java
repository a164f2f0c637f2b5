package dev.parley.postgres;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a PostgreSQL: by a fast shutdown first, by harder signals once the limit has passed. */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration HARD_LIMIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 10;

    private Shutdown() {}

    static void stop(long pid, Duration limit, BooleanSupplier gone) {
        Signal.INT.send(pid);
        if (await(gone, limit)) {
            return;
        }
        LOG.warn("PostgreSQL {} did not stop within {} ms; stopping it without a checkpoint.", pid, limit.toMillis());
        Signal.QUIT.send(pid);
        if (await(gone, HARD_LIMIT)) {
            return;
        }
        LOG.warn("PostgreSQL {} did not stop; killing it. Its next start recovers from the write-ahead log.", pid);
        Signal.KILL.send(pid);
        if (!await(gone, HARD_LIMIT)) {
            throw new PostgresUnavailable("PostgreSQL (process %d) cannot be stopped.".formatted(pid));
        }
    }

    private static boolean await(BooleanSupplier gone, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (!gone.getAsBoolean()) {
                if (System.nanoTime() > deadline) {
                    return false;
                }
                try {
                    Thread.sleep(POLL_MILLIS);
                } catch (InterruptedException e) {
                    // The stop continues, because a PostgreSQL left running would be worse than the delay.
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
