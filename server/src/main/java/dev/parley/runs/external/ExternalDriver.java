package dev.parley.runs.external;

import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.protocol.Actor;
import dev.parley.runs.lifecycle.Run;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The driver of external runs.
 *
 * @param language of the events
 * @param mayDrive which external runs are this driver's
 * @param opening how a run begins that is not there yet
 */
public record ExternalDriver(
        Principal caller, EventLanguage language, Predicate<Run> mayDrive, Supplier<Opening> opening) {
    /**
     * What is known of a run when it begins.
     *
     * @param parentRunId the run for which it is done, by its client's name for it; it need not be there
     * @param along what is written with it
     */
    public record Opening(Actor agent, @Nullable String parentRunId, List<Change> along) {
        public Opening {
            along = List.copyOf(along);
        }
    }
}
