package dev.parley.sessions;

import java.time.Instant;

/**
 * What a session's client keeps.
 *
 * @param version counts the times it was replaced, from 1
 * @param json exactly the text that was given
 */
public record KeptDocument(long version, String json, Instant updatedAt) {}
