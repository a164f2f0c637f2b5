package dev.parley.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it, in either direction. */
public final class TestClock extends Clock {
    private final AtomicReference<Instant> now;
    private final ZoneId zone;

    private TestClock(AtomicReference<Instant> now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    public static TestClock at(Instant start) {
        return new TestClock(new AtomicReference<>(start), ZoneOffset.UTC);
    }

    public void set(Instant instant) {
        now.set(instant);
    }

    /** Moves the clock; a negative step moves it back. */
    public void advance(Duration step) {
        now.updateAndGet(instant -> instant.plus(step));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock in another zone: moving one clock moves both. */
    @Override
    public Clock withZone(ZoneId other) {
        return new TestClock(now, other);
    }
}
