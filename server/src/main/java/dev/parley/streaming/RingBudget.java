package dev.parley.streaming;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all rings of a node share. Until half of the bytes are used, every ring takes as much as it needs.
 * From then on each ring keeps to an equal share of the other half. Busy rings check most often, so they give way
 * first, and a new ring finds room. No ring ever has to touch another ring.
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

    /** True if a ring with this many bytes in this many slots must drop its oldest slot. */
    boolean isTooMuch(long bytes, int slots) {
        return bytes > perRing
                || used.get() > total
                // The newest slot stays: without it every reader would have to read the database.
                || (slots > 1 && isScarce() && bytes > total / 2 / Math.max(1, rings.get()));
    }
}
