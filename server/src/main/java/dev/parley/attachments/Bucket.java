package dev.parley.attachments;

import java.time.Instant;

/**
 * The one place that objects are kept in.
 *
 * @param largestObject the limit of one object in bytes
 * @param createdAt the time when the database was set up, since the bucket comes with it
 */
public record Bucket(String name, long largestObject, Instant createdAt) {}
