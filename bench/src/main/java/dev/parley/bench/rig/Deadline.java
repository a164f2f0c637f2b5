package dev.parley.bench.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A moment of {@link System#nanoTime} that ends a wait. */
public record Deadline(long nanos) {
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    public boolean isOver() {
        return System.nanoTime() - nanos >= 0;
    }

    /** The time that is left, at least a nanosecond. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1, nanos - System.nanoTime()));
    }

    /** Checks a condition again and again until it holds; false on timeout. */
    public boolean await(Duration poll, BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (isOver()) {
                return false;
            }
            Thread.sleep(poll);
        }
        return true;
    }
}
