package dev.parley.runs.lifecycle;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reason why a caller other than the run's agent ends a run. The reason decides the run's terminal event. */
public enum Intention {
    /** A caller cancels the run, or a newer run replaces it. */
    CANCEL(null, ""),
    /** Undoes the run: its messages and the messages that it answers are withdrawn. */
    ROLLBACK(null, ""),
    /** The run's node died or was stopped after viewers had seen events of the run. */
    INTERRUPT("interrupted", "The server stopped in the middle of the run."),
    TIME_OUT("timeout", "The run exceeded the time limit of a run."),
    SILENCE("silent", "The agent that drives the run sends no events any more."),
    /** Ends a queued run only. A driver that claims the run in the meantime keeps it. */
    UNCLAIMED("no_driver", "No driver claimed the run."),
    EXPEL("agent_removed", "The agent may not run in this thread any more."),
    GIVE_UP("gave_up", "The run was started several times without a visible event.");

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

    /** The intention of a new run towards the active run of the same agent; null if the new run waits. */
    public static @Nullable Intention towardsActive(MultitaskStrategy strategy) {
        return switch (strategy) {
            case ENQUEUE, REJECT -> null;
            case INTERRUPT -> CANCEL;
            case ROLLBACK -> ROLLBACK;
        };
    }

    /** The error code of the failed run; null if the run is cancelled. */
    public @Nullable String code() {
        return code;
    }

    public String message() {
        return message;
    }
}
