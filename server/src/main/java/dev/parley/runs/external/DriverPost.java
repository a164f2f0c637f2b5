package dev.parley.runs.external;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A post of a driver: some events of its run, numbered from the run's first one.
 *
 * @param epoch null in the post that opens the run
 * @param first the number of the first event
 * @param events the events as received; an empty list only shows that the driver is alive
 */
public record DriverPost(@Nullable Integer epoch, long first, List<JsonNode> events) {
    public DriverPost {
        events = List.copyOf(events);
    }

    /**
     * True if the post may open a run. A post with an epoch, or one that begins in the middle, refers to an existing
     * run.
     */
    public boolean isFirst() {
        return epoch == null && first == 0;
    }

    /** Passes if all events can be read. A post with an unreadable event must not open a run. */
    public void requireReadable(EventLanguage language) {
        for (int i = 0; i < events.size(); i++) {
            language.requireReadable(events.get(i), "events[" + i + "]");
        }
    }

    /**
     * Passes if the post has the epoch of its driver, and continues the run without a gap.
     *
     * @param claimed the state in which the driver holds the run
     */
    void requireNext(Run run, RunState.Unfinished now, RunState.Running claimed) {
        if (!knowsEpoch(run, now, claimed)) {
            throw new ProblemException(Problem.RUN_TAKEN_OVER, "The run has another epoch than this post.");
        }
        if (first > run.nextEvent()) {
            throw new ProblemException(
                    Problem.EVENT_GAP,
                    "The next event is number " + run.nextEvent() + ", but this post begins with " + first + ".");
        }
    }

    private boolean knowsEpoch(Run run, RunState.Unfinished now, RunState.Running claimed) {
        if (epoch == null) {
            // The first post has no epoch yet, and may be repeated if its answer was lost.
            return run.nextEvent() == 0 || first == 0 && isKnown(run);
        }
        // A driver that paused the run and got no answer repeats its post with the former epoch.
        return epoch == claimed.epoch() || now instanceof RunState.Waiting && epoch == now.epoch() - 1 && isKnown(run);
    }

    private boolean isKnown(Run run) {
        return first + events.size() <= run.nextEvent();
    }

    /** The events that were not posted before. */
    List<JsonNode> newTo(Run run) {
        long known = Math.min(run.nextEvent() - first, events.size());
        return events.subList((int) known, events.size());
    }
}
