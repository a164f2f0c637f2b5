package dev.parley.protocol.agent;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;

/** The answer to a run that was asked for: it is in the log, and will be done. */
public record TaskAccepted(UUID taskId, ThreadId threadId, String runId, Instant created) {}
