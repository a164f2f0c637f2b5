package dev.parley.bench.runs;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The runs that were started and have not ended at their viewers, and the numbers of ended runs. */
final class RunsUnderWay {
    private final Map<String, Long> dueNanos = new ConcurrentHashMap<>();
    private final LongAdder finished = new LongAdder();
    private final LongAdder broken = new LongAdder();

    void begin(String run, long due) {
        dueNanos.put(run, due);
    }

    /** Notes the end of a run and returns its due time; empty if the run failed or is unknown. */
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
     * The number of runs that have still to end, without refused ones. A start whose answer was lost counts as refused
     * and may happen all the same, so the number may be too small for a moment, but never negative.
     *
     * @param due runs that should have been started by now, sent or not
     * @param refused starts that failed
     */
    long unfinished(long due, long refused) {
        return Math.max(0, due - refused - finished.sum() - broken.sum());
    }
}
