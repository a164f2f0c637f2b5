package dev.parley.agents.demo;

import java.util.Locale;

/** The stages of a run, each a step of its own. A stage may be entered again once it was left. */
enum DemoStage {
    /** It becomes clear what is to be done. */
    INTENT,
    /** The answer is made. */
    EXECUTION,
    /** A tool of ours works. */
    TOOL_EXECUTION;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
