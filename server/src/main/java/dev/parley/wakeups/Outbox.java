package dev.parley.wakeups;

import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Hints that wait to be sent: one per thread, for a limited number of threads. */
final class Outbox {
    static final int MAX_THREADS = 20_000;

    private final Map<ThreadId, Hint> waiting = new LinkedHashMap<>();
    private boolean nudged;

    /** Adds hints; returns the number that found no room. */
    synchronized int add(Collection<Hint> hints) {
        int refused = 0;
        for (Hint hint : hints) {
            if (waiting.size() < MAX_THREADS || waiting.containsKey(hint.thread())) {
                waiting.merge(hint.thread(), hint, Hint::and);
            } else {
                refused++;
            }
        }
        notifyAll();
        return refused;
    }

    /** Wakes the waiting {@link #take}, even without hints. */
    synchronized void nudge() {
        nudged = true;
        notifyAll();
    }

    /** Takes all hints as soon as there are some, or after a nudge, or at the end of the time limit. */
    synchronized List<Hint> take(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); waiting.isEmpty() && !nudged && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        nudged = false;
        List<Hint> taken = new ArrayList<>(waiting.values());
        waiting.clear();
        return taken;
    }

    synchronized int size() {
        return waiting.size();
    }
}
