package dev.parley.agents.demo;

import java.util.Locale;

/** The stages of a run, each a step of its own. A stage may be entered again after it was left. */
enum DemoStage {
    /** The agent decides on its action. */
    INTENT,
    /** The agent writes the answer. */
    EXECUTION,
    /** A tool of the server works. */
    TOOL_EXECUTION;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
