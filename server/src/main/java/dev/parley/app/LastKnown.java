package dev.parley.app;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something of the database that operators look at: read when somebody asks, but not more often than makes sense; while
 * the database does not answer in time, what was known last stands.
 */
final class LastKnown<T> {
    private static final Logger LOG = LoggerFactory.getLogger(LastKnown.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<T> source;
    private final Duration fresh;
    private volatile T known;
    private long asked;

    LastKnown(Supplier<T> source, Duration fresh, T first) {
        this.source = source;
        this.fresh = fresh;
        this.known = first;
        this.asked = System.nanoTime() - fresh.toNanos() - 1;
    }

    synchronized T now() {
        if (System.nanoTime() - asked > fresh.toNanos()) {
            CompletableFuture<Void> read = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                read();
                read.complete(null);
            });
            read.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            asked = System.nanoTime();
        }
        return known;
    }

    private void read() {
        try {
            known = source.get();
        } catch (RuntimeException unavailable) {
            LOG.debug("What operators see is as it was: {}", unavailable.toString());
        }
    }
}
