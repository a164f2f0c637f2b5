package dev.parley.runs.guard;

/** The states of a subagent of a run. */
public enum SubagentState {
    UNKNOWN,
    WORKING,
    DONE
}
