package dev.parley.protocol.agent;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;

/** The answer to a run request: the run is in the log and will be executed. */
public record TaskAccepted(UUID taskId, ThreadId threadId, String runId, Instant created) {}
