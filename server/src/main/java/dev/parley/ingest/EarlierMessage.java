package dev.parley.ingest;

import org.jspecify.annotations.Nullable;

/**
 * A message of a platform that stands before the one that is delivered.
 *
 * @param externalId the platform's id of it
 * @param marker the marker of our own deliveries that the platform shows on it; null if it shows none
 * @param sender the display name
 * @param mentionToken the platform's token that mentions the sender; null for bots
 * @param text as the sender typed it
 * @param first whether its thread begins with it
 */
public record EarlierMessage(
        String externalId,
        @Nullable String marker,
        String sender,
        @Nullable String mentionToken,
        String text,
        boolean first) {}
