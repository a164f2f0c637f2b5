package dev.parley.bench.runs;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Which runs were asked for and have not been seen to end, and how many have ended in which way. */
final class RunsUnderWay {
    private final Map<String, Long> dueNanos = new ConcurrentHashMap<>();
    private final LongAdder finished = new LongAdder();
    private final LongAdder broken = new LongAdder();

    void begin(String run, long due) {
        dueNanos.put(run, due);
    }

    /** Returns when the run was due; empty if it did not end as it should, or was none of ours. */
    OptionalLong end(String run, boolean error) {
        Long due = dueNanos.remove(run);
        if (due == null) {
            return OptionalLong.empty();
        }
        if (error) {
            broken.increment();
            return OptionalLong.empty();
        }
        finished.increment();
        return OptionalLong.of(due);
    }

    long finished() {
        return finished.sum();
    }

    /**
     * How many have still to end: whoever was refused never will. A start whose answer was lost counts as refused, and
     * may happen all the same; so there may seem to be too few for a moment, never less than none.
     *
     * @param due runs that should have been started by now, sent or not
     * @param refused starts that failed
     */
    long unfinished(long due, long refused) {
        return Math.max(0, due - refused - finished.sum() - broken.sum());
    }
}
