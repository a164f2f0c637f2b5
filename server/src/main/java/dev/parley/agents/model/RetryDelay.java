package dev.parley.agents.model;

import dev.parley.basics.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** How long to wait before a model is asked again: longer each time, and never all at the same moment. */
final class RetryDelay {
    /** Whoever is told to wait longer than this gives up: somebody waits for the answer. */
    static final Duration MAX_DELAY = Duration.ofSeconds(30);

    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofMillis(500), MAX_DELAY).withJitter(0.5);

    private RetryDelay() {}

    /**
     * Null if it is not worth waiting.
     *
     * @param attempt the one to come, the first being 1
     * @param wished what the provider asked for
     */
    static @Nullable Duration before(int attempt, @Nullable Duration wished) {
        if (wished != null && wished.compareTo(MAX_DELAY) > 0) {
            return null;
        }
        Duration own = BACKOFF.after(attempt - 1);
        return wished == null || own.compareTo(wished) > 0
                ? own
                : wished.plusMillis(
                        ThreadLocalRandom.current().nextLong(BACKOFF.first().toMillis()));
    }
}
