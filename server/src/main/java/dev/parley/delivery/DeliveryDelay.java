package dev.parley.delivery;

import dev.parley.basics.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The delay before a failed delivery is retried. */
final class DeliveryDelay {
    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5)).withJitter(0.25);
    private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    private DeliveryDelay() {}

    /**
     * @param failures the number of failures in a row, including the latest failure
     * @param retryAfter the delay that the receiver asked for, granted up to an hour; null for none
     */
    static Duration after(int failures, @Nullable Duration retryAfter) {
        if (retryAfter == null) {
            return BACKOFF.after(failures);
        }
        Duration granted = retryAfter.compareTo(MAX_RETRY_AFTER) < 0 ? retryAfter : MAX_RETRY_AFTER;
        return granted.plusMillis(ThreadLocalRandom.current().nextLong(50));
    }
}
