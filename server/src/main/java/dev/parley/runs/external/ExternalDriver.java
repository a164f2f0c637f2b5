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
 * @param language the language of the events
 * @param mayDrive accepts the runs that this driver may drive
 * @param opening supplies the facts of a new run
 */
public record ExternalDriver(
        Principal caller, EventLanguage language, Predicate<Run> mayDrive, Supplier<Opening> opening) {
    /**
     * The facts of a run when it begins.
     *
     * @param parentRunId the client's name for the parent run, which need not exist
     * @param along further changes in the transaction that begins the run
     */
    public record Opening(Actor agent, @Nullable String parentRunId, List<Change> along) {
        public Opening {
            along = List.copyOf(along);
        }
    }
}
