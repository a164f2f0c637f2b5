package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import dev.parley.sdk.Parley;
import java.util.UUID;

/** A run whose start was acknowledged. */
record StartedRun(ThreadId thread, String runId, UUID task, Prompt prompt) {
    static StartedRun start(Parley client, ThreadId thread, Prompt prompt) {
        String runId = "run-" + UUID.randomUUID();
        UUID task = client.runs().start(thread, runId, prompt.text()).taskId();
        return new StartedRun(thread, runId, task, prompt);
    }

    @Override
    public String toString() {
        return "run " + runId + " (" + task + ") of thread " + thread;
    }
}
