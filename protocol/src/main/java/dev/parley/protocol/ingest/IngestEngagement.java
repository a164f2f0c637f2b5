package dev.parley.protocol.ingest;

/**
 * The decision whether an agent answers an ingested message.
 *
 * @param reason one word such as {@code open} or {@code passive}
 */
public record IngestEngagement(boolean run, String reason) {}
