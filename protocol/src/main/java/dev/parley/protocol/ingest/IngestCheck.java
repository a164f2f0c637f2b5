package dev.parley.protocol.ingest;

/**
 * One check in the explanation of a message.
 *
 * @param detail the finding, in a sentence
 */
public record IngestCheck(String name, String detail) {}
