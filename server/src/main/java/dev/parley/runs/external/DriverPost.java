package dev.parley.runs.external;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A post of a driver: some events of its run, numbered from the first.
 *
 * @param epoch null when the driver opens the run
 * @param first the number of the first event
 * @param events as they came; none are a sign of life
 */
public record DriverPost(@Nullable Integer epoch, long first, List<JsonNode> events) {
    public DriverPost {
        events = List.copyOf(events);
    }

    /** Whether it may open a run: a driver that knows an epoch, or begins in the middle, means one that is there. */
    public boolean isFirst() {
        return epoch == null && first == 0;
    }

    /** Passes if all events can be read: a post that cannot be read opens nothing. */
    public void requireReadable(EventLanguage language) {
        for (int i = 0; i < events.size(); i++) {
            language.requireReadable(events.get(i), "events[" + i + "]");
        }
    }

    /**
     * Passes if it comes under the epoch of its driver, and without a gap.
     *
     * @param claimed the state in which its driver holds the run
     */
    void requireNext(Run run, RunState.Unfinished now, RunState.Running claimed) {
        if (!knowsEpoch(run, now, claimed)) {
            throw new ProblemException(
                    Problem.RUN_TAKEN_OVER, "The run goes on under another epoch than that of this post.");
        }
        if (first > run.nextEvent()) {
            throw new ProblemException(
                    Problem.EVENT_GAP,
                    "The next event is number " + run.nextEvent() + ", but this post begins with " + first + ".");
        }
    }

    private boolean knowsEpoch(Run run, RunState.Unfinished now, RunState.Running claimed) {
        if (epoch == null) {
            // The first post has none yet, and may be repeated if its answer was lost.
            return run.nextEvent() == 0 || first == 0 && isKnown(run);
        }
        // A driver that paused the run and got no answer comes again with the epoch that it had.
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
