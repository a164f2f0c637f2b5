package dev.parley.log;

import java.time.Duration;

/**
 * Batch sizes, queue limits and the deadline of the log.
 *
 * @param lanes the number of lanes that append side by side; more than two only shrink the batches
 * @param deadline the time that a caller waits for the outcome of a command
 */
public record LogSettings(
        int lanes, int queueCommands, long queueBytes, int batchCommands, long batchBytes, Duration deadline) {}
