package dev.parley.streaming;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all rings of a node share. Until half of them are used, every ring takes what it needs. From then on
 * each keeps to an equal share of the other half, so that busy rings, which come by most often, give way first, and there
 * is room left for a ring that is new. No ring ever has to touch another one for that.
 */
final class RingBudget {
    private final long perRing;
    private final long total;
    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger rings = new AtomicInteger();

    RingBudget(long perRing, long total) {
        this.perRing = perRing;
        this.total = total;
    }

    void opened() {
        rings.incrementAndGet();
    }

    void closed() {
        rings.decrementAndGet();
    }

    void take(long bytes) {
        used.addAndGet(bytes);
    }

    long used() {
        return used.get();
    }

    boolean isScarce() {
        return used.get() > total / 2;
    }

    /** Whether a ring with so many bytes in so many slots has to drop its oldest one. */
    boolean isTooMuch(long bytes, int slots) {
        return bytes > perRing
                || used.get() > total
                // The newest is what its readers wait for: dropping that one would send all of them to the database.
                || (slots > 1 && isScarce() && bytes > total / 2 / Math.max(1, rings.get()));
    }
}
