package dev.parley.delivery;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The next part that is to be sent to a place.
 *
 * @param changed what the platform calls the part that it changes; null if it changes none, or one that is not there
 * @param queuedAt since when it waits
 */
record OpenParcel(
        UUID id,
        DeliveryState state,
        Parcel parcel,
        long seq,
        boolean isRevision,
        @Nullable String changed,
        int failures,
        Instant queuedAt) {}
