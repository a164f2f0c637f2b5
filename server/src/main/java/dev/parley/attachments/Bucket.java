package dev.parley.attachments;

import java.time.Instant;

/**
 * The only bucket.
 *
 * @param largestObject the limit of one object in bytes
 * @param createdAt the time at which the database was set up; the setup creates the bucket
 */
public record Bucket(String name, long largestObject, Instant createdAt) {}
