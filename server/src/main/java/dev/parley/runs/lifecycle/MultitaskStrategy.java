package dev.parley.runs.lifecycle;

import java.util.Locale;

/** What becomes of a run that finds another one active. */
public enum MultitaskStrategy {
    /** It waits for its turn. */
    ENQUEUE,
    /** It is refused. */
    REJECT,
    /** The active run is cancelled, and its partial answer kept. */
    INTERRUPT,
    /** The active run is cancelled, and all that came of it withdrawn. */
    ROLLBACK;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
