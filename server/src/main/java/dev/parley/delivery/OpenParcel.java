package dev.parley.delivery;

import java.time.Instant;
import java.util.UUID;

/**
 * The next part that is to be sent to a place.
 *
 * @param queuedAt since when it waits
 */
record OpenParcel(
        UUID id, DeliveryState state, Parcel parcel, long seq, int attempts, int failures, Instant queuedAt) {}
