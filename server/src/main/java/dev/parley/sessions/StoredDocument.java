package dev.parley.sessions;

import java.time.Instant;

/**
 * A document that a session's client keeps.
 *
 * @param version 1 for the first document, and one more for each replacement
 * @param json exactly the text that the client gave
 */
public record StoredDocument(long version, String json, Instant updatedAt) {}
