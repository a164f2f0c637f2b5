package dev.parley.runs;

import dev.parley.protocol.agui.AguiEvent;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why somebody else than its agent ends a run, and how that looks. */
enum Intention {
    /** Somebody asked for it, or another run took its place. */
    CANCEL(null, "", RunState.Ending.CANCELLED),
    /** As if it had never been asked: what it answered counts no longer. */
    ROLLBACK(null, "", RunState.Ending.CANCELLED),
    /** Its node died or was stopped while something of it was visible. */
    INTERRUPT("interrupted", "The server stopped in the middle of the run.", RunState.Ending.FAILED),
    TIME_OUT("timeout", "The run took longer than a run may take.", RunState.Ending.FAILED),
    SILENCE("silent", "The agent that drives the run has not been heard of.", RunState.Ending.FAILED),
    EXPEL("agent_removed", "The agent may not run in this thread any more.", RunState.Ending.FAILED),
    GIVE_UP("gave_up", "The run was begun several times and never came to anything.", RunState.Ending.FAILED);

    private final @Nullable String code;
    private final String message;
    private final RunState.Ending ending;

    Intention(@Nullable String code, String message, RunState.Ending ending) {
        this.code = code;
        this.message = message;
        this.ending = ending;
    }

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Intention of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }

    RunState.Ending ending() {
        return ending;
    }

    /** The last events of the run. */
    List<AguiEvent> end(RunGuard guard) {
        return code == null ? guard.cancel() : guard.fail(message, code);
    }
}
