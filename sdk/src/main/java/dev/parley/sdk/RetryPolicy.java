package dev.parley.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The number and the timing of retries. Pauses double from {@code firstPause} to {@code longestPause}. Each pause is
 * shortened at random, at most by half, so that many clients do not come back at the same moment.
 *
 * @param attempts the number of attempts in all, the first included
 * @param limit the time after the start of the first attempt in which further attempts may start
 */
public record RetryPolicy(int attempts, Duration limit, Duration firstPause, Duration longestPause) {
    public RetryPolicy {
        if (attempts < 1 || limit.isNegative() || firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("a retry policy needs at least one attempt and growing pauses");
        }
    }

    /** The policy for calls: eight attempts within a minute. */
    public static RetryPolicy calls() {
        return new RetryPolicy(8, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofSeconds(10));
    }

    /** The policy for streams: attempts until the reader closes the stream. */
    public static RetryPolicy streams() {
        return new RetryPolicy(
                Integer.MAX_VALUE, Duration.ofDays(3650), Duration.ofMillis(250), Duration.ofSeconds(15));
    }

    /** A single attempt without retries. */
    public static RetryPolicy never() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /**
     * The pause after a failed attempt; empty if no further attempt may follow.
     *
     * @param attempt the number of the failed attempt, from 1
     * @param atLeast the server's minimum, such as its Retry-After
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
