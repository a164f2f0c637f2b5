package dev.parley.protocol.ingest;

/**
 * Something that was looked at before a message would be stored.
 *
 * @param detail what was found, in a sentence
 */
public record IngestCheck(String name, String detail) {}
