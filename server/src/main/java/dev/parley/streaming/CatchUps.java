package dev.parley.streaming;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * What all viewers of a node that catch up share: turns at reading pages, and how long one may take for a parcel. A turn
 * ends before anything is sent, so that viewers who take their time cost the others nothing.
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
