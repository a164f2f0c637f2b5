package dev.parley.log;

import java.time.Duration;

/**
 * How the log batches and how much it queues.
 *
 * @param lanes how many lanes append side by side; more than two only shrink the batches
 * @param deadline how long a caller waits for its outcome
 */
public record LogSettings(
        int lanes, int queueCommands, long queueBytes, int batchCommands, long batchBytes, Duration deadline) {}
