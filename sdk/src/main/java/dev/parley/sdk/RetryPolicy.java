package dev.parley.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How often and how patiently something is tried again. Pauses double from {@code firstPause} to {@code longestPause},
 * each shortened by chance to between half and all of it, so that many clients do not come back at the same moment.
 *
 * @param attempts how many tries there are in all, the first included
 * @param limit no further try starts later than this after the first one
 */
public record RetryPolicy(int attempts, Duration limit, Duration firstPause, Duration longestPause) {
    public RetryPolicy {
        if (attempts < 1 || limit.isNegative() || firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("a retry policy needs at least one attempt and growing pauses");
        }
    }

    /** For calls: eight tries within a minute. */
    public static RetryPolicy calls() {
        return new RetryPolicy(8, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofSeconds(10));
    }

    /** For streams: as long as somebody wants to listen. */
    public static RetryPolicy streams() {
        return new RetryPolicy(
                Integer.MAX_VALUE, Duration.ofDays(3650), Duration.ofMillis(250), Duration.ofSeconds(15));
    }

    /** One try. */
    public static RetryPolicy never() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /**
     * How long to wait after a failed attempt; empty if it was the last one.
     *
     * @param attempt the number of the attempt that failed, from 1
     * @param atLeast what the server asked for, such as its Retry-After
     */
    Optional<Duration> pauseAfter(int attempt, Duration elapsed, Duration atLeast, RandomGenerator random) {
        if (attempt >= attempts) {
            return Optional.empty();
        }
        long full = Math.min(longestPause.toNanos(), firstPause.toNanos() << Math.min(attempt - 1, 20));
        Duration jittered = Duration.ofNanos(full / 2 + random.nextLong(full / 2 + 1));
        Duration pause = jittered.compareTo(atLeast) > 0 ? jittered : atLeast.plus(jittered);
        return elapsed.plus(pause).compareTo(limit) > 0 ? Optional.empty() : Optional.of(pause);
    }
}
