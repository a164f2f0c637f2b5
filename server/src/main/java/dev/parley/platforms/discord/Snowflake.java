package dev.parley.platforms.discord;

import java.time.Instant;

/**
 * An id of Discord as a point in time: its upper bits count the milliseconds since 2015
 * (<a href="https://docs.discord.com/developers/reference#snowflakes">Discord: snowflakes</a>).
 */
final class Snowflake {
    private static final long FIRST_MILLISECOND = 1_420_070_400_000L;
    private static final int TIME_SHIFT = 22;

    private Snowflake() {}

    /** The smallest id of this time. */
    static String first(Instant time) {
        return Long.toUnsignedString(Math.max(0, time.toEpochMilli() - FIRST_MILLISECOND) << TIME_SHIFT);
    }

    /** The time of an id, to the millisecond. */
    static Instant madeAt(String id) {
        return Instant.ofEpochMilli((Long.parseUnsignedLong(id) >>> TIME_SHIFT) + FIRST_MILLISECOND);
    }

    /** The id directly below another one. */
    static String before(String id) {
        return Long.toUnsignedString(Long.parseUnsignedLong(id) - 1);
    }

    static boolean isLater(String id, String than) {
        return Long.compareUnsigned(Long.parseUnsignedLong(id), Long.parseUnsignedLong(than)) > 0;
    }
}
