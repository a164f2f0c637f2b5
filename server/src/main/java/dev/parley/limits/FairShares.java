package dev.parley.limits;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the slots that callers share. A caller may take at most as many as then stay free, and always one while any is
 * free: a lone caller gets half of the slots, two get a third each, and a newcomer finds room whatever the others do.
 *
 * @param <K> who takes slots: an actor, an owner, a destination
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

    /** Takes a slot beyond the share, and beyond all slots if need be, for what cannot be refused any more. */
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
        // A waiting caller that has its share already must not take the signal from one that has not.
        notifyAll();
    }

    /** The slots that a caller may take now, if no other caller takes any meanwhile. */
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
