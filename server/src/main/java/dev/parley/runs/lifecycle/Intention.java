package dev.parley.runs.lifecycle;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why somebody else than its agent ends a run, and how that looks. */
public enum Intention {
    /** Somebody asked for it, or another run took its place. */
    CANCEL(null, ""),
    /** As if it had never been asked: what it answered counts no longer. */
    ROLLBACK(null, ""),
    /** Its node died or was stopped while something of it was visible. */
    INTERRUPT("interrupted", "The server stopped in the middle of the run."),
    TIME_OUT("timeout", "The run took longer than a run may take."),
    SILENCE("silent", "The agent that drives the run has not been heard of."),
    /** Ends a queued run only: a driver that came meanwhile keeps its run. */
    UNCLAIMED("no_driver", "No driver came for the run."),
    EXPEL("agent_removed", "The agent may not run in this thread any more."),
    GIVE_UP("gave_up", "The run was begun several times and never came to anything.");

    private final @Nullable String code;
    private final String message;

    Intention(@Nullable String code, String message) {
        this.code = code;
        this.message = message;
    }

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Intention of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }

    /** What a new run wants done to one of the same agent that is active; null if it can wait. */
    public static @Nullable Intention towardsActive(MultitaskStrategy strategy) {
        return switch (strategy) {
            case ENQUEUE, REJECT -> null;
            case INTERRUPT -> CANCEL;
            case ROLLBACK -> ROLLBACK;
        };
    }

    /** The code with which the run fails; null if it is cancelled. */
    public @Nullable String code() {
        return code;
    }

    public String message() {
        return message;
    }
}
