package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import java.util.UUID;

/** A run whose start was acknowledged. */
record StartedRun(ThreadId thread, String runId, UUID task, Prompt prompt) {
    @Override
    public String toString() {
        return "run " + runId + " (" + task + ") of thread " + thread;
    }
}
