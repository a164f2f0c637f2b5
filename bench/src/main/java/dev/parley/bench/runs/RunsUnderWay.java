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
     * The number of due runs that have neither ended nor been refused. A start whose answer was lost counts as refused,
     * but its run may still take place. The number may therefore be too small for a moment. It is never negative.
     *
     * @param due the number of runs that should have been started by now, sent or not
     * @param refused the number of starts that failed
     */
    long unfinished(long due, long refused) {
        return Math.max(0, due - refused - finished.sum() - broken.sum());
    }
}
