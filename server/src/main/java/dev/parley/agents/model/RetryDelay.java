package dev.parley.agents.model;

import dev.parley.basics.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The delay before a failed request to a model is retried: growing, and with jitter. */
final class RetryDelay {
    /**
     * Longest delay. If a provider asks for a longer delay, the request is not retried, because a reader is waiting.
     */
    static final Duration MAX_DELAY = Duration.ofSeconds(30);

    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofMillis(500), MAX_DELAY).withJitter(0.5);

    private RetryDelay() {}

    /**
     * The delay before an attempt; null if no further attempt is made.
     *
     * @param attempt number of the next attempt; the first is 1
     * @param retryAfter the delay that the provider asked for; null for none
     */
    static @Nullable Duration before(int attempt, @Nullable Duration retryAfter) {
        if (retryAfter != null && retryAfter.compareTo(MAX_DELAY) > 0) {
            return null;
        }
        Duration own = BACKOFF.after(attempt - 1);
        return retryAfter == null || own.compareTo(retryAfter) > 0
                ? own
                : retryAfter.plusMillis(
                        ThreadLocalRandom.current().nextLong(BACKOFF.first().toMillis()));
    }
}
