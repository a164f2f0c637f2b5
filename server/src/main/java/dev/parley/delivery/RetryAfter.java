package dev.parley.delivery;

import java.time.Duration;
import java.util.Optional;

/** Reads a Retry-After header (RFC 9110, 10.2.3) with seconds. Dates are ignored, because clocks differ. */
public final class RetryAfter {
    private RetryAfter() {}

    /** @param header the value of {@code Retry-After}: seconds, with or without a fraction */
    public static Optional<Duration> parse(String header) {
        String text = header.strip();
        if (!text.matches("[0-9]{1,6}(\\.[0-9]{1,9})?")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000)));
    }
}
