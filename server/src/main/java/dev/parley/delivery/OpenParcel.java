package dev.parley.delivery;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The next part to send to a destination.
 *
 * @param revisedExternalId the platform's id of the part that it revises; null if it revises none, or one that did not arrive
 * @param queuedAt the time from which it waits
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
