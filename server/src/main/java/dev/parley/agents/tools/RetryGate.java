package dev.parley.agents.tools;

import dev.parley.basics.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds back attempts after failures. The first failure causes no delay, the second failure causes a short delay, and
 * each further failure doubles the delay.
 */
final class RetryGate {
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Clock clock;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Instant notBefore = Instant.MIN;

    RetryGate(Clock clock) {
        this.clock = clock;
    }

    boolean isOpen() {
        return !clock.instant().isBefore(notBefore);
    }

    void failed() {
        int before = failures.getAndIncrement();
        if (before > 0) {
            notBefore = clock.instant().plus(BACKOFF.after(before));
        }
    }

    void succeeded() {
        failures.set(0);
        notBefore = Instant.MIN;
    }
}
