package dev.parley.app.metrics;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value for operators that is read from the database on demand, but at most once per period. While the database does
 * not answer, the last value is returned for a while. After that there is no value, because a frozen gauge looks
 * healthy.
 */
final class CachedReading<T> {
    private static final Logger LOG = LoggerFactory.getLogger(CachedReading.class);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration STALE = Duration.ofSeconds(15);

    private final Supplier<T> source;
    private final Duration period;
    private final Duration stale;
    private volatile @Nullable Reading<T> last;
    private long lastAttempt;

    CachedReading(Supplier<T> source, Duration period) {
        this(source, period, STALE);
    }

    CachedReading(Supplier<T> source, Duration period, Duration stale) {
        this.source = source;
        this.period = period;
        this.stale = stale;
        this.lastAttempt = System.nanoTime() - period.toNanos() - 1;
    }

    private record Reading<T>(T value, long at) {}

    synchronized Optional<T> now() {
        if (System.nanoTime() - lastAttempt > period.toNanos()) {
            CompletableFuture<Void> read = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                read();
                read.complete(null);
            });
            read.completeOnTimeout(null, READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            lastAttempt = System.nanoTime();
        }
        return Optional.ofNullable(last)
                .filter(reading -> System.nanoTime() - reading.at() < stale.toNanos())
                .map(Reading::value);
    }

    private void read() {
        try {
            // Taken before the query, because a slow result is already old when it arrives.
            long at = System.nanoTime();
            last = new Reading<>(source.get(), at);
        } catch (RuntimeException unavailable) {
            LOG.debug(
                    "Could not read a metric from the database; keeping the last reading for now: {}",
                    unavailable.toString());
        }
    }
}
