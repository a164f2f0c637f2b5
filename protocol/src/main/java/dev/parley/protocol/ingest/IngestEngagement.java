package dev.parley.protocol.ingest;

/**
 * Whether an agent answers what was brought.
 *
 * @param reason why, or why not, in one word such as {@code open} or {@code passive}
 */
public record IngestEngagement(boolean run, String reason) {}
