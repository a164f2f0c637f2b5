package dev.parley.protocol;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Makes time-ordered UUIDs (<a href="https://www.rfc-editor.org/rfc/rfc9562#section-5.7">RFC 9562, version 7</a>) and
 * reads UUIDs strictly.
 */
public final class UuidV7 {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern CANONICAL =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private UuidV7() {}

    public static UUID next() {
        return at(System.currentTimeMillis(), RANDOM.nextLong(), RANDOM.nextLong());
    }

    /**
     * The UUID for a given millisecond and given random bits. Simulated histories use fixed bits, so that they repeat
     * exactly.
     */
    public static UUID at(long epochMillis, long randomHigh, long randomLow) {
        long high = (epochMillis << 16) | 0x7000L | (randomHigh & 0x0FFFL);
        long low = (randomLow & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** A UUID that depends only on the millisecond and the name. */
    public static UUID named(long epochMillis, String name) {
        UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return at(epochMillis, hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }

    /** The millisecond that a UUID of version 7 contains. */
    public static long millisOf(UUID id) {
        return id.getMostSignificantBits() >>> 16;
    }

    public static Optional<UUID> parseCanonical(String text) {
        return CANONICAL.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }
}
