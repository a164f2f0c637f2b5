package dev.parley.streaming;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The resources that all catching-up viewers of a node share: turns for reading pages, and the time limit for sending
 * a {@link Tail.Parcel}. A turn ends before the page is sent, so that slow viewers do not delay other viewers.
 */
final class CatchUps {
    private final Semaphore turns;
    private final Duration parcelTime;

    CatchUps(int pageReads, Duration parcelTime) {
        this.turns = new Semaphore(pageReads, true);
        this.parcelTime = parcelTime;
    }

    List<Tail.Parcel> page(Tail tail, long after) {
        turns.acquireUninterruptibly();
        try {
            return tail.page(after);
        } finally {
            turns.release();
        }
    }

    Duration parcelTime() {
        return parcelTime;
    }
}
