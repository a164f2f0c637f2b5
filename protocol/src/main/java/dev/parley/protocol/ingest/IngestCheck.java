package dev.parley.protocol.ingest;

/**
 * A check that runs before a message would be stored.
 *
 * @param detail the finding, in a sentence
 */
public record IngestCheck(String name, String detail) {}
