package dev.parley.delivery;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** How long to wait after failures: twice as long each time, up to five minutes, and never all at the same moment. */
final class Backoff {
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);
    /** Somebody who wants to be left alone for longer is asked again at this time. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    private static final int MAX_DOUBLINGS = 9;

    private Backoff() {}

    /**
     * @param failures in a row, this one included
     * @param wish how long the other side wants to be left alone, if it said so
     */
    static Duration after(int failures, @Nullable Duration wish) {
        if (wish != null) {
            Duration least = wish.compareTo(MAX_RETRY_AFTER) < 0 ? wish : MAX_RETRY_AFTER;
            return least.plusMillis(ThreadLocalRandom.current().nextLong(50));
        }
        long usual = FIRST_DELAY.toMillis() << Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
        long bounded = Math.min(usual, MAX_DELAY.toMillis());
        return Duration.ofMillis(bounded * 3 / 4 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
    }
}
