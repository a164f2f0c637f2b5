package dev.parley.delivery;

import java.time.Instant;

/**
 * One part of a message, on its way to a platform.
 *
 * @param marker by which the platform can be asked whether it has the part: 22 letters, digits, {@code -} and {@code _},
 *     the same at every attempt, and no other part's
 * @param begunAt when it was first handed to the platform; now, if it has not been
 */
public record Parcel(String marker, Place place, String text, Instant begunAt) {
    Parcel begunAt(Instant now) {
        return new Parcel(marker, place, text, now);
    }
}
