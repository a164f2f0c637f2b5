package dev.parley.limits;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the slots that callers share. A caller may hold at most as many slots as stay free afterwards. A caller
 * without a slot may take one as long as any slot is free. So a lone caller gets half of the slots, two callers get a
 * third each, and a newcomer gets a slot regardless of the other callers.
 *
 * @param <K> the type of the callers: an actor, an owner, a destination
 */
public final class FairShares<K> {
    private final int slots;
    private final Map<K, Integer> held = new HashMap<>();
    private int taken;

    public FairShares(int slots) {
        this.slots = slots;
    }

    /** Takes a slot; false if the caller has its share or none is free. */
    public synchronized boolean tryTake(K caller) {
        if (allowance(caller) == 0) {
            return false;
        }
        held.merge(caller, 1, Integer::sum);
        taken++;
        return true;
    }

    /** Waits for a slot; false if the caller gets none in time. */
    public synchronized boolean take(K caller, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!tryTake(caller)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Takes a slot even beyond the caller's share or beyond all slots, for work that can no longer be refused. */
    public synchronized void takeAnyway(K caller) {
        held.merge(caller, 1, Integer::sum);
        taken++;
    }

    /** Gives back a slot that the caller took. */
    public synchronized void giveBack(K caller) {
        if (held(caller) == 0) {
            throw new IllegalStateException("No slot is held by " + caller);
        }
        held.computeIfPresent(caller, (who, own) -> own == 1 ? null : own - 1);
        taken--;
        // Wakes all waiting callers, because a single signal could go to a caller that already has its share.
        notifyAll();
    }

    /** The slots that a caller may take now, if no other caller takes a slot meanwhile. */
    public synchronized int allowance(K caller) {
        int own = held(caller);
        int share = Math.max(0, (free() - own) / 2);
        return own == 0 && free() > 0 ? Math.max(1, share) : share;
    }

    public synchronized int held(K caller) {
        return held.getOrDefault(caller, 0);
    }

    public synchronized int free() {
        return slots - taken;
    }
}
