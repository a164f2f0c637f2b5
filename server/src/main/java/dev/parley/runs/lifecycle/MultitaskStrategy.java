package dev.parley.runs.lifecycle;

import java.util.Locale;

/** The rule for a new run that finds another run of its agent active. */
public enum MultitaskStrategy {
    /** The new run waits for its turn. */
    ENQUEUE,
    /** The new run is refused. */
    REJECT,
    /** The active run is cancelled; its partial answer is kept. */
    INTERRUPT,
    /** The active run is cancelled; its messages and the messages that it answers are withdrawn. */
    ROLLBACK;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
