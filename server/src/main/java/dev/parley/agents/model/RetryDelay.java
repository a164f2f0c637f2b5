package dev.parley.agents.model;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** How long to wait before a model is asked again: longer each time, and never all at the same moment. */
final class RetryDelay {
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);

    /** Whoever is told to wait longer than this gives up: somebody waits for the answer. */
    static final Duration MAX_DELAY = Duration.ofSeconds(30);

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
        long step = FIRST_DELAY.toMillis() << Math.max(0, attempt - 2);
        Duration own = Duration.ofMillis(step / 2 + ThreadLocalRandom.current().nextLong(step));
        return wished == null || own.compareTo(wished) > 0
                ? own
                : wished.plusMillis(ThreadLocalRandom.current().nextLong(FIRST_DELAY.toMillis()));
    }
}
