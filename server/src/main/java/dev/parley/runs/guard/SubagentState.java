package dev.parley.runs.guard;

/** Where a subagent of a run stands. */
public enum SubagentState {
    UNKNOWN,
    WORKING,
    DONE
}
