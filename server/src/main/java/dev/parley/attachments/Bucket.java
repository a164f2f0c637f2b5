package dev.parley.attachments;

import java.time.Instant;

/**
 * The only bucket.
 *
 * @param largestObject the limit of one object in bytes
 * @param createdAt the time when the database was set up, which creates the bucket
 */
public record Bucket(String name, long largestObject, Instant createdAt) {}
