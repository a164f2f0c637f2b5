package dev.parley.agents.tools;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** How long to leave alone what fails: one failure may be an accident and costs nothing, each further one doubles. */
final class BackOff {
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;

    private final Clock clock;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Instant notBefore = Instant.MIN;

    BackOff(Clock clock) {
        this.clock = clock;
    }

    boolean isOver() {
        return !clock.instant().isBefore(notBefore);
    }

    void failed() {
        int before = failures.getAndIncrement();
        if (before > 0) {
            Duration pause = Duration.ofSeconds(1L << Math.min(before - 1, MAX_DOUBLINGS));
            notBefore = clock.instant().plus(pause.compareTo(MAX_DELAY) < 0 ? pause : MAX_DELAY);
        }
    }

    void forgive() {
        failures.set(0);
        notBefore = Instant.MIN;
    }
}
