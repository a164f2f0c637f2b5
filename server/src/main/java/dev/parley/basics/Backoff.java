package dev.parley.basics;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The delay before a retry, which doubles after each failure.
 *
 * @param first the delay after one failure
 * @param max the longest delay, without its jitter
 * @param jitter the share by which a delay is shorter or longer at random, to spread the retries of many callers
 */
public record Backoff(Duration first, Duration max, double jitter) {
    private static final int MAX_DOUBLINGS = 30;

    public static Backoff doubling(Duration first, Duration max) {
        return new Backoff(first, max, 0);
    }

    public Backoff withJitter(double share) {
        return new Backoff(first, max, share);
    }

    /** @param failures the number of consecutive failures, at least 1 */
    public Duration after(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.clamp(failures - 1, 0, MAX_DOUBLINGS));
        Duration delay = doubled.compareTo(max) < 0 ? doubled : max;
        long spread = (long) (delay.toNanos() * jitter);
        return delay.minusNanos(spread).plusNanos(ThreadLocalRandom.current().nextLong(2 * spread + 1));
    }
}
