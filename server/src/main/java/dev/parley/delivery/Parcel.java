package dev.parley.delivery;

import java.time.Instant;

/**
 * One part of a message, on its way to a platform.
 *
 * @param marker identifies the part at the platform: 22 letters, digits, {@code -} and {@code _}, the same at every
 *     attempt, and unique to the part
 * @param begunAt the time of the first attempt that the platform may have accepted
 * @param triedAt the start or end of the last attempt, which the platform may still be processing
 */
public record Parcel(String marker, ReplyTarget target, String text, Instant begunAt, Instant triedAt) {
    /** A part at its first attempt. */
    public Parcel(String marker, ReplyTarget target, String text, Instant begunAt) {
        this(marker, target, text, begunAt, begunAt);
    }

    Parcel handedOver(Instant first, Instant now) {
        return new Parcel(marker, target, text, first, now);
    }
}
