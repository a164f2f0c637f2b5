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
        UUID thread,
        long seq,
        boolean isRevision,
        @Nullable String changed,
        int failures,
        Instant queuedAt) {
    OpenParcel withoutFailures() {
        return new OpenParcel(id, state, parcel, thread, seq, isRevision, changed, 0, queuedAt);
    }
}
