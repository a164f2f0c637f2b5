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
 * Something of the database that operators look at: read when somebody asks, but not more often than makes sense. While
 * the database does not answer in time, what was known last stands for a while; then nothing is known any more, since a
 * figure that stands still looks like one that is well.
 */
final class CachedReading<T> {
    private static final Logger LOG = LoggerFactory.getLogger(CachedReading.class);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration STALE = Duration.ofSeconds(15);

    private final Supplier<T> source;
    private final Duration fresh;
    private final Duration stale;
    private volatile @Nullable Reading<T> last;
    private long asked;

    CachedReading(Supplier<T> source, Duration fresh) {
        this(source, fresh, STALE);
    }

    CachedReading(Supplier<T> source, Duration fresh, Duration stale) {
        this.source = source;
        this.fresh = fresh;
        this.stale = stale;
        this.asked = System.nanoTime() - fresh.toNanos() - 1;
    }

    private record Reading<T>(T value, long at) {}

    synchronized Optional<T> now() {
        if (System.nanoTime() - asked > fresh.toNanos()) {
            CompletableFuture<Void> read = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                read();
                read.complete(null);
            });
            read.completeOnTimeout(null, READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            asked = System.nanoTime();
        }
        return Optional.ofNullable(last)
                .filter(reading -> System.nanoTime() - reading.at() < stale.toNanos())
                .map(Reading::value);
    }

    private void read() {
        try {
            // From before it was asked: what is slow to come is old when it comes.
            long at = System.nanoTime();
            last = new Reading<>(source.get(), at);
        } catch (RuntimeException unavailable) {
            LOG.debug("What operators see is as it was: {}", unavailable.toString());
        }
    }
}
