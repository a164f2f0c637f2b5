package dev.parley.delivery;

import java.time.Instant;

/**
 * One part of a message, on its way to a platform.
 *
 * @param marker by which the platform can be asked whether it has the part: 22 letters, digits, {@code -} and {@code _},
 *     the same at every attempt, and no other part's
 * @param begunAt when it was first handed to the platform, as far as the platform may have it from then
 * @param triedAt when it was last handed over, or when that attempt was given up: it may still be under way at the platform
 */
public record Parcel(String marker, ReplyTarget target, String text, Instant begunAt, Instant triedAt) {
    /** One that is handed over for the first time. */
    public Parcel(String marker, ReplyTarget target, String text, Instant begunAt) {
        this(marker, target, text, begunAt, begunAt);
    }

    Parcel handedOver(Instant first, Instant now) {
        return new Parcel(marker, target, text, first, now);
    }
}
