package dev.parley.delivery;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The next part to send to a destination.
 *
 * @param revisedExternalId the platform's id of the part that this parcel revises; null if it revises no part, or a
 *     part that did not arrive
 * @param queuedAt the time at which the parcel was queued
 */
record OpenParcel(
        UUID id,
        DeliveryState state,
        Parcel parcel,
        UUID thread,
        long seq,
        boolean isRevision,
        @Nullable String revisedExternalId,
        int failures,
        Instant queuedAt) {
    OpenParcel withoutFailures() {
        return new OpenParcel(id, state, parcel, thread, seq, isRevision, revisedExternalId, 0, queuedAt);
    }
}
