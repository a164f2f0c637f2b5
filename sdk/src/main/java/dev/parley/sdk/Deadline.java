package dev.parley.sdk;

import java.time.Duration;

/** A deadline on the monotonic clock. */
record Deadline(long nanos) {
    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }

    /** The remaining time; zero once the deadline has passed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    Deadline orEarlier(Deadline other) {
        return nanos - other.nanos <= 0 ? this : other;
    }
}
